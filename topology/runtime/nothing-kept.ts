// What is said of a fault of ours in the middle of a task's work: a processor that threw half-way. It ends the task before its next commit, so of what it
// was at, and of all since the last commit, neither output, state nor position is anywhere: half of a change cannot be told from a whole one later.
export function nothingKept(thrown: unknown): string {
  return `${thrown instanceof Error ? thrown.message : String(thrown)}. Nothing of what was done since the last commit was kept, and a start goes on from there`;
}
