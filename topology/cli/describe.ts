// `paritas describe`: the topology of a configuration as text, or as a Mermaid diagram.
import type { Command } from 'commander';

import type { PairSettings, SideSettings } from '../../schemas/pair.ts';
import type { Config } from '../config.ts';
import { formatDurationUs } from '../units.ts';
import { addCheckFlags } from './check-flags.ts';
import type { CheckFlags } from './check-flags.ts';
import { addExample, COMMAND } from './context.ts';
import type { CliContext } from './context.ts';
import { writeAll } from './io.ts';
import { settingsOf } from './settings.ts';

export function addDescribe(program: Command, context: CliContext): void {
  const command = program.command('describe').description('the topology of a configuration as text, or as a Mermaid diagram')
    .option('--mermaid', 'a Mermaid diagram');
  addExample(addCheckFlags(command), `${COMMAND} describe --config deploy/demo/paritas.yaml`);
  command.action(async (flags: CheckFlags & { mermaid?: boolean }) => {
    const { config, pairs } = settingsOf(flags, context.io);
    const describe = flags.mermaid === true ? mermaid : text;
    await writeAll(context.io.stdout, [describe(config, pairs)]);
  });
}

function text(config: Config, pairs: readonly PairSettings[]): string {
  const blocks = pairs.map((pair) => {
    const { window, match } = pair;
    const how = match.by === 'alignment' ? 'alignment' : `${match.by} ${match.source.join(',')} = ${match.target.join(',')}`;
    return [
      `Pair ${pair.name} (configuration ${pair.configHash.slice(0, 16)})`,
      `  Source: ${input(pair.source)} [${pair.source.format}] --> decode-source`,
      `  Source: ${input(pair.target)} [${pair.target.format}] --> decode-target`,
      '  Processor: decode-source, decode-target --> join',
      `  Processor: join (match by ${how}; key ${pair.key?.join(', ') ?? 'of the records'}; policy ${pair.policy}) --> windows`,
      `  Processor: windows (size ${formatDurationUs(window.sizeUs)}, lateness ${formatDurationUs(window.latenessUs)}, lag ${formatDurationUs(window.lagUs)}, skew ${formatDurationUs(window.skewUs)}) --> outputs`,
      `  Sinks: ${config.outputs.verdicts}, ${config.outputs.manifests}, ${config.outputs.deadLetters}, ${config.outputs.audit}, ${config.outputs.status}`,
    ].join('\n');
  });
  return `Application ${config.application}\n\n${blocks.join('\n\n')}\n`;
}

function mermaid(config: Config, pairs: readonly PairSettings[]): string {
  const lines = pairs.flatMap((pair, i) => [
    `  subgraph p${i}["${pair.name}"]`,
    `    s${i}[("${input(pair.source)}")] --> ds${i}["decode source"] --> j${i}["join by ${pair.match.by}"]`,
    `    t${i}[("${input(pair.target)}")] --> dt${i}["decode target"] --> j${i}`,
    `    j${i} --> w${i}["windows of ${formatDurationUs(pair.window.sizeUs)}"]`,
    '  end',
    `  w${i} --> verdicts[("${config.outputs.verdicts}")] & manifests[("${config.outputs.manifests}")] & dead[("${config.outputs.deadLetters}")] & audit[("${config.outputs.audit}")]`,
  ]);
  return `flowchart LR\n${lines.join('\n')}\n`;
}

function input(side: SideSettings): string {
  return side.topic !== '' ? side.topic : side.files.map((file) => file.split('/').pop() ?? file).join(' ');
}
