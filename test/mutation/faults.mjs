// Faults that a maintainer could make, each as a patch of the core or of the runtime: `find` stands in `file` exactly once and becomes `replace`. `tests` are
// those that should catch it, the narrowest first: a test file, and words of the tests' names where not all of the file are meant.

const oracle = ['test/properties/oracle.test.ts', ''];
const cases = ['test/oracle/cases.test.ts', ''];
const order = ['test/properties/order.test.ts', ''];
const verdicts = ['test/properties/verdicts.test.ts', ''];
const alignment = ['test/processors/alignment.test.ts', ''];
const histories = ['test/processors/alignment-history.test.ts', ''];
// The crash simulator: a service that dies (alone, as three tasks of a pair), two that hand tasks to each other, one task that dies between any two records.
const dying = ['test/properties/service.test.ts', ''];
const threeDying = ['test/properties/tasks.test.ts', 'die and start again'];
const handing = ['test/properties/tasks.test.ts', 'hand tasks to each other'];
const restored = ['test/properties/restore.test.ts', 'change no byte'];

export const FAULTS = [
  {
    name: 'a key is sorted by commit time instead of position', file: 'processors/judge.ts',
    find: 'else if (shard.disordered.has(key)) list.sort((a, b) => slots.comparePositions(a, b));', replace: 'else list.sort((a, b) => slots.time[a] - slots.time[b]);',
    tests: [cases, oracle],
  },
  {
    name: 'a key whose events came out of order is not sorted', file: 'processors/enter.ts',
    find: 'shard.slots.comparePositions(slot, before) < 0) shard', replace: 'shard.slots.comparePositions(slot, before) > 0) shard', tests: [order, oracle],
  },
  { name: 'digests by exclusive or instead of sums', file: 'processors/digest.ts', find: 'sums[at] += lanes[0];\n      sums[at + 1] += lanes[1];\n      sums[at + 2] += lanes[2];\n      sums[at + 3] += lanes[3];', replace: 'sums[at] ^= lanes[0];\n      sums[at + 1] ^= lanes[1];\n      sums[at + 2] ^= lanes[2];\n      sums[at + 3] ^= lanes[3];', tests: [['test/processors/digest.test.ts', ''], verdicts] },
  { name: 'a digest leaves out the position', file: 'processors/digest.ts', find: 'scratchWords[word++] = position[positionAt + i];', replace: 'scratchWords[word++] = 0;', tests: [['test/processors/digest.test.ts', ''], verdicts] },
  { name: 'windows close at W instead of W + L', file: 'processors/claims.ts', find: 'window.lagUs + window.skewUs : window.lagUs;', replace: 'window.skewUs : 0;', tests: [['test/processors/claims.test.ts', ''], cases] },
  { name: 'the source horizon leaves out the skew', file: 'processors/claims.ts', find: 'window.lagUs + window.skewUs : window.lagUs;', replace: 'window.lagUs : window.lagUs;', tests: [['test/processors/claims.test.ts', ''], cases] },
  { name: '< for <= at the horizon', file: 'processors/claims.ts', find: 'window.latenessUs >= endUs + horizonUs', replace: 'window.latenessUs > endUs + horizonUs', tests: [['test/processors/claims.test.ts', ''], cases] },
  { name: 'lateness is left out of the watermark', file: 'processors/claims.ts', find: 'return claim.maxTimeUs - window.latenessUs;', replace: 'return claim.maxTimeUs;', tests: [['test/properties/watermarks.test.ts', '']] },
  { name: 'a watermark goes back', file: 'processors/claims.ts', find: 'if (commitTimeUs > claim.maxTimeUs) claim', replace: 'claim', tests: [['test/processors/claims.test.ts', ''], ['test/properties/watermarks.test.ts', '']] },
  { name: 'the frontier is not advanced', file: 'processors/claims.ts', find: 'claim.frontier = offset + 1;', replace: 'claim.frontier = offset;', tests: [['test/processors/claims.test.ts', ''], ['test/properties/watermarks.test.ts', '']] },
  { name: 'an idle partition is left out of the minimum', file: 'topology/runtime/partition-group.ts', find: 'gate, window) === undefined)) return undefined;', replace: 'gate, window) === undefined && !claim.ended)) return undefined;', tests: [['test/topology/runtime/partition-group.test.ts', ''], ['test/properties/watermarks.test.ts', '']] },
  { name: 'the greatest claim closes windows, not the least', file: 'topology/runtime/partition-group.ts', find: 'Math.min(...members.map(({ claim }) => closableUpToUs', replace: 'Math.max(...members.map(({ claim }) => closableUpToUs', tests: [['test/topology/runtime/partition-group.test.ts', ''], oracle] },
  { name: 'a redelivery is a second change', file: 'processors/enter.ts', find: '  if (known >= 0) {\n    return', replace: '  if (known < -1) {\n    return', tests: [['test/properties/order.test.ts', '3:'], oracle] },
  { name: 'a redelivery below the frontier is late', file: 'processors/enter.ts', find: 'if (shard.history.seen(side, window, identity)) return', replace: 'if (known(shard)) return', extra: { find: 'const words = new Uint32Array(WORDS);', replace: 'const known = (_: Shard): boolean => false;\nconst words = new Uint32Array(WORDS);' }, tests: [cases, oracle] },
  { name: 'a late record is judged', file: 'processors/enter.ts', find: 'if (event.commitTimeUs < shard.closedUpToUs) return enterClosed', replace: 'if (event.commitTimeUs < -shard.closedUpToUs) return enterClosed', tests: [cases, ['test/properties/verdicts.test.ts', '9:']] },
  { name: 'a record at the closed frontier is late', file: 'processors/enter.ts', find: 'if (event.commitTimeUs < shard.closedUpToUs) return enterClosed', replace: 'if (event.commitTimeUs <= shard.closedUpToUs) return enterClosed', tests: [cases] },
  { name: 'a change is missing though it was applied in an earlier window', file: 'processors/judge.ts', find: 'const application = link[source] >= 0 ? place[link[source]] : first[i];', replace: 'const application = first[i];', tests: [cases, oracle] },
  { name: 'an application of a later change beyond the evidence counts as overtaking', file: 'processors/judge.ts', find: 'if (kind[source] !== SLOT.change || time[source] >= closing.sourceEvidenceUs) continue;\n    // Places', replace: 'if (kind[source] !== SLOT.change) continue;\n    // Places', tests: [cases, oracle] },
  { name: 'a change beyond the evidence of the target change is its cause', file: 'processors/attribution.ts', find: 'if (slots.time[source] >= evidenceEndUs(shard, slots.time[target])) return CAUSE.none;', replace: '', tests: [cases, oracle] },
  { name: 'a delete goes with a source delete long after it', file: 'processors/attribution.ts', find: 'slots.op[s] === OP.delete && slots.time[s] <= latestUs && where(s)', replace: 'slots.op[s] === OP.delete && slots.time[s] <= latestUs + 1e15 && where(s)', tests: [cases, oracle] },
  { name: 'deletes without an image are numbered without those that have one', file: 'processors/attribution.ts', find: '    n++;\n', replace: '    if (group.aligned[j]) n++;\n', tests: [oracle] },
  { name: 'a delete that waits is attributed anew', file: 'processors/attribution.ts', find: 'if (deletes) keepCauses(', replace: 'if (!deletes && deletes) keepCauses(', tests: [cases, oracle] },
  { name: 'a truncate removes rows that are gone', file: 'processors/truncates.ts', find: '.filter(row => row.present)', replace: '', tests: [cases, oracle] },
  { name: 'a truncate does not see the open window\'s rows', file: 'processors/truncates.ts', find: '  addLive(shard, rows, truncate, below);\n', replace: '', tests: [cases] },
  { name: 'a late application amends nothing', file: 'processors/judge-target.ts', find: '  closing.amend(window);\n', replace: '', tests: [cases, ['test/properties/faults.test.ts', 'late']] },
  { name: 'what is missing is forgotten with its slot', file: 'processors/retire.ts', find: "(slots.flags[slot] & FLAG.missing) !== 0) putGhost(shard, slot, 'missing');", replace: "(slots.flags[slot] & FLAG.missing) < 0) putGhost(shard, slot, 'missing');", tests: [cases, ['test/properties/faults.test.ts', 'late']] },
  { name: 'slots are freed as soon as they are judged', file: 'processors/retire.ts', find: '(window + 1) * sizeUs - lagUs - 2 * skewUs - sizeUs);', replace: '(window + 1) * sizeUs + 0 * (lagUs + skewUs));', tests: [cases, oracle] },
  { name: 'a repeat is compared with the source change alone', file: 'processors/judge-source.ts', find: 'samePrint(fingerprint, target * 4, fingerprint, first * 4) || samePrint(', replace: 'samePrint(', tests: [cases, oracle] },
  { name: 'an application that differs is a match', file: 'processors/judge-source.ts', find: '  if (!comparison.equal) {\n    const { columns', replace: '  if (comparison.equal && !comparison.equal) {\n    const { columns', tests: [['test/properties/faults.test.ts', 'mismatch'], cases] },
  { name: 'an unknown column is a difference', file: 'processors/comparator.ts', find: '    else unknown++;\n', replace: '    else placeholders.push(name);\n', tests: [['test/processors/comparator.test.ts', ''], oracle] },
  { name: 'the state counts target changes that no verdict has consumed', file: 'processors/divergences.ts', find: '& (FLAG.consumed | FLAG.allowed)) === FLAG.consumed) return group.targets[j];', replace: '& FLAG.allowed) === 0) return group.targets[j];', tests: [cases, oracle] },
  { name: 'a divergence stays open', file: 'processors/divergences.ts', find: '  if (equal) close(shard, key, open, closing);\n  else keep', replace: '  if (equal && open === undefined) close(shard, key, open, closing);\n  else keep', tests: [cases, oracle] },
  { name: 'resolved names a finding after the key had parted', file: 'processors/divergences.ts', find: 'open === undefined ? last : open.finding', replace: 'last ?? open?.finding', tests: [cases, oracle] },
  { name: 'an unreadable record spoils nothing', file: 'processors/verdict.ts', find: "return result.undecidable || result.findings.length > 0 ? 'undecidable' : 'parity';", replace: "return result.findings.length > 0 ? 'undecidable' : 'parity';", tests: [cases] },
  { name: 'a core hash covers offsets', file: 'processors/verdict.ts', find: "finding.target?.identity ?? '', finding.columns.map", replace: "finding.target?.record.offset ?? '', finding.columns.map", tests: [['test/properties/order.test.ts', '7:']] },
  { name: 'shards merged without their undecidable windows', file: 'processors/verdict.ts', find: 'undecidable: a.undecidable || b.undecidable,', replace: 'undecidable: a.undecidable && b.undecidable,', tests: [['test/properties/shards.test.ts', ''], ['test/properties/merge.test.ts', '']] },
  { name: 'a torn transaction is told by every window that shows it', file: 'processors/torn.ts', find: ' && (appliedBefore === 0 || missingBefore === 0)', replace: '', tests: [['test/processors/torn.test.ts', '']] },
  { name: 'of a transaction over several shards only the window counts', file: 'processors/torn-memory.ts', find: 'transactions.map(part => (known.get(part.transaction) ?? []).reduce(withEarlier, part))', replace: 'transactions', tests: [['test/processors/torn.test.ts', ''], ['test/properties/shards.test.ts', '7: nor']] },
  { name: 'what shards said of transactions is lost at a restart', file: 'processors/torn-memory.ts', find: 'store?.put(keyOf(window), pack({ transactions }));', replace: '', tests: [['test/processors/torn-memory.test.ts', '']] },
  { name: 'what shards said of transactions counts for ever', file: 'processors/torn-memory.ts', find: 'windows.length > 0 && windows[0].window < firstThatCounts(settings, window)', replace: 'windows.length > 1e9', tests: [['test/processors/torn-memory.test.ts', ''], ['test/processors/torn.test.ts', '']] },
  { name: 'a hole in a transaction is told by its END too', file: 'processors/transaction-counts.ts', find: 'of.read.set(group, Infinity);', replace: '', tests: [['test/processors/transaction-counts.test.ts', '']] },
  { name: 'a shard that is silent has no open divergences', file: 'processors/merge-processor.ts', find: 'for (const [shard, count] of of.open) head.open.set(shard, count);', replace: 'head.open.clear();\n        for (const [shard, count] of of.open) head.open.set(shard, count);', tests: [['test/properties/shards.test.ts', '']] },
  { name: 'alignment: no upper bound of the lag', file: 'processors/alignment-input.ts', find: '(lagUs <= input.lagUs || ', replace: '(lagUs <= input.lagUs * 1e6 || ', tests: [alignment, histories] },
  { name: 'alignment: an effect may come before its cause', file: 'processors/alignment-input.ts', find: 'lagUs >= -input.skewUs &&', replace: 'lagUs >= -1e15 &&', tests: [alignment, histories] },
  { name: 'alignment: a lost no-op on an eliding engine is missing', file: 'processors/alignment-input.ts', find: '(IS.read | IS.ghost | IS.noop)', replace: '(IS.read | IS.ghost)', tests: [alignment, histories] },
  { name: 'alignment: a present row equals an absent one', file: 'processors/alignment-input.ts', find: 'return ((input.sourceIs[i] ^ input.targetIs[j]) & IS.absent) === 0;', replace: 'return i >= 0 && j >= 0;', tests: [alignment, histories] },
  { name: 'runtime: the local store is written before the append', file: 'topology/runtime/commit.ts', find: "    await appendOnce({ records, positions, group }, end);\n    crashPoint('before-store');\n    engine.write([...ops, changelogPosition(end)]);", replace: "    engine.write([...ops, changelogPosition(end)]);\n    await appendOnce({ records, positions, group }, end);\n    crashPoint('before-store');", tests: [dying] },
  { name: 'runtime: an append whose answer was lost is taken for done', file: 'topology/runtime/commit.ts', find: 'if (lost !== undefined) throw new CommitLost(group, lost);', replace: 'if (lost === null) throw new CommitLost(group, lost);', tests: [dying] },
  { name: 'runtime: what is put out is not in the append of its positions', file: 'topology/runtime/commit.ts', find: 'const records = [...outputs, ...ops.map(toChangelog)];', replace: 'const records = ops.map(toChangelog);\n    await writer.append({ records: outputs, positions: [], group });', tests: [dying] },
  { name: 'runtime: a restoration begins one record too late', file: 'topology/runtime/restoration.ts', find: 'const from = storedPosition(engine);', replace: 'const from = Math.min(storedPosition(engine) + 1, await log.endOffset(changelog));', tests: [dying] },
  { name: 'runtime: a store of another changelog is believed', file: 'topology/runtime/restoration.ts', find: "if (known.topicId !== (await log.topicId(changelog.topic))) return 'it belongs to another changelog of that name';", replace: 'await log.topicId(changelog.topic);', tests: [dying] },
  { name: 'runtime: a standby claims what came after it had looked', file: 'topology/runtime/restoration.ts', find: 'const end = await log.endOffset(changelog);\n  const reader = await log.open(changelog, from);', replace: 'const reader = await log.open(changelog, from);\n  const end = await log.endOffset(changelog);', tests: [['test/topology/runtime/restoration.test.ts', ''], handing] },
  { name: 'runtime: who lost a task may go on to write', file: 'topology/log/epochs.ts', find: 'if (epochs.get(id) !== own) throw new WriterFenced(id);', replace: 'if (epochs.get(id) === 0) throw new WriterFenced(id);', tests: [handing] },
  { name: 'runtime: a task begins with whatever its state says it has read', file: 'topology/cli/run-task.ts', find: 'if (committed === (restored === undefined ? undefined : at.offset)) continue;', replace: 'if (committed !== -1) continue;', tests: [['test/topology/cli/service.test.ts', 'changed by hand']] },
  { name: 'runtime: a damaged store is opened again as it is', file: 'topology/cli/run-task.ts', find: 'parts.signal, anew)', replace: 'parts.signal, false)', tests: [['test/traps/15-corrupt-among-healthy.test.ts', 'at a get']] },
  { name: 'runtime: the segments of a window outlive it', file: 'stores/segment-index.ts', find: 'for (const key of keys) ops.push({ family: SLOTS_FAMILY, key, value: null });', replace: 'if (keys.length < 0) ops.push({ family: SLOTS_FAMILY, key: keys[0], value: null });', tests: [restored, dying] },
  { name: 'runtime: a kept cause is forgotten by a restart', file: 'stores/slot-restore.ts', find: 'cause[slot] = previousKey[slot] === 0 ? -1 : bySerial(', replace: 'cause[slot] = previousKey[slot] !== NaN ? -1 : bySerial(', tests: [['test/stores/slot-segments.test.ts', '']] },
];
