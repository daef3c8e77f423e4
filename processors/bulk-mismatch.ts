// A hot key of which more changes are in play than one closing compares (alignment-input.ts, `workMax`). Its pairs are a guess made in linear
// time, and so are the findings: there may be more of them than there were faults, and of other classes. Each says so by its hint and by how many changes were too
// many, and none of them asks for the row to be written. They are told one by one all the same: the counts add up, and a digest says what it said.
import type { AlignInput } from './alignment-input.ts';
import type { Closing } from './window.ts';

/** The closing, as a key sees it whose pairs are a guess. */
export function asBulkMismatch(closing: Closing, input: AlignInput, sourceCount: number, targetCount: number): Closing {
  const detail = `a rough alignment: ${sourceCount} source and ${targetCount} target changes of the row are within the lag of each other, `
    + `more than ${input.workMax} comparisons pair exactly; a shorter lag, or match origin or version, does`;
  return { ...closing, find: finding => { closing.find({ ...finding, hint: 'bulk-mismatch', detail }); } };
}
