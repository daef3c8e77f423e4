// What to do with a report: the lines below it, as commands that can be pasted.
import { COMMAND, quoted } from './context.ts';
import type { Sections } from './report.ts';
import { visible } from './text.ts';

/** Flags of `check` that say how to print or how to close; the other commands do not take them. With their values, where they have one. */
const OWN_FLAGS = /^(-o|--output)$/;
const OWN_SWITCHES = /^(--complete|--skip-bad-lines|--no-color|-o\S+|--output=.*)$/;

/** `argv`: the command line after the program's name, `check …`. */
export function nextSteps(argv: readonly string[], complete: boolean): (sections: Sections) => readonly string[] {
  const what = inputFlags(argv.slice(1));
  return (sections) => {
    const steps: string[] = [];
    const found = sections.manifests.find((manifest) => Object.keys(manifest.key).length > 0);
    if (found !== undefined) {
      // `--pair` once more, where the command line names none and there is more than one to choose from.
      const pair = sections.summaries.length > 1 && !what.includes('--pair') ? ` --pair ${quoted(found.pair)}` : '';
      const key = Object.entries(found.key).map(([name, value]) => `${name}=${value ?? 'null'}`).join(',');
      const words = key === visible(key) ? quoted(key) : quoted(JSON.stringify(found.key));
      steps.push(`  ${COMMAND} explain ${words}${what}${pair}${complete ? ' --complete' : ''}   # both histories of one row`);
      steps.push(`  ${COMMAND} manifests${what.replace(/ --key(?=[ =])/, ' --key-columns')}${complete ? ' --complete' : ''} -o jsonl   # every discrepancy as JSON Lines`);
    }
    const closed = sections.verdicts.length > 0;
    if (!complete && !closed && sections.summaries.length > 0) {
      steps.push(`  ${COMMAND} check${what} --complete   # no window could close: the end of a file is no evidence that nothing is missing; --complete says it is`);
    }
    return steps.length === 0 ? [] : ['Next:', ...steps];
  };
}

function inputFlags(argv: readonly string[]): string {
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    if (OWN_FLAGS.test(argv[i])) i++;
    else if (!OWN_SWITCHES.test(argv[i])) words.push(quoted(argv[i]));
  }
  return words.map((word) => ` ${word}`).join('');
}
