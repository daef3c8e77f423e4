// `paritas validate`: is the configuration sound, can the captures be read, and what is understood of their first records.
import type { Command } from 'commander';

import { SIDES } from '../../schemas/change-event.ts';
import type { Side } from '../../schemas/change-event.ts';
import { classify } from '../../schemas/errors.ts';
import { sideOf } from '../../schemas/pair.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import { sampleCapture } from './capture-sample.ts';
import { addCheckFlags } from './check-flags.ts';
import type { CheckFlags } from './check-flags.ts';
import { addExample, COMMAND } from './context.ts';
import type { CliContext } from './context.ts';
import { guessFormat } from './guess-pair.ts';
import { writeAll } from './io.ts';
import { settingsOf } from './settings.ts';
import { topicsLog } from './side-input.ts';
import { plural } from './text.ts';
import type { Understood } from './validate-side.ts';

export function addValidate(program: Command, context: CliContext): void {
  const command = program.command('validate').description('check a configuration and say what is understood of each side');
  addExample(addCheckFlags(command), `${COMMAND} validate --config deploy/demo/paritas.yaml`);
  command.action(async (flags: CheckFlags) => {
    const { pairs, file } = settingsOf(flags, context.io);
    const lines = [`${file ?? 'flags'}: ${plural(pairs.length, 'pair')}, sound\n`];
    let isGood = true;
    for (const pair of pairs) {
      for (const side of SIDES) {
        const { ok, text } = await understood(pair, side);
        isGood &&= ok;
        lines.push(`${pair.name} ${side}: ${ok ? '' : 'PROBLEM: '}${text}\n`);
      }
    }
    await writeAll(context.io.stdout, lines);
    context.exit(isGood ? 0 : 2);
  });
}

async function understood(pair: PairSettings, side: Side): Promise<Understood> {
  const settings = sideOf(pair, side);
  if (settings.files.length === 0) return { ok: true, text: `topic ${settings.topic}; paritas doctor looks at it` };
  if (settings.files.includes('-')) return { ok: true, text: 'standard input; not looked at' };
  try {
    const looks = guessFormat((await Promise.all(settings.files.map(sampleCapture))).flat());
    if (settings.format !== 'auto' && looks !== 'auto' && looks !== settings.format) {
      return { ok: false, text: `said to be ${settings.format}, looks like ${looks}; write format: ${looks}` };
    }
    const { decodeFirst } = await import('./validate-side.ts');
    const { ok, text } = await decodeFirst(pair, side, topicsLog(undefined));
    return { ok, text: `${settings.format === 'auto' ? looks : settings.format}, ${text}` };
  } catch (error) {
    return { ok: false, text: classify(error).message };
  }
}
