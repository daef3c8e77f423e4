// Every bound of the system, with its unit and its reason. Passing one is counted and said, never silent.

/** Bytes of one page of live slots. Large enough that a page switch is rare, small enough that one long-lived slot pins little. */
export const arenaPageBytes: number = 1 << 20;
/** Empty pages kept for reuse; more go back to the system. */
export const arenaSparePages: number = 16;
/** Slots a shard starts with; it doubles when full. */
export const slotsAtStart: number = 1024;
/** Times that a task of a pair is passed over for one that is further behind; then it has a turn. So long, at a few milliseconds each, a commit may be late. */
export const turnsPassedMax: number = 16;
/** Records handled between two looks at the event loop, so that signals and progress are served within a few milliseconds. */
export const recordsPerSlice: number = 1000;
/** Bytes of values handled between two such looks: with rows of 16 MB a thousand of them would take a minute, and what they give would wait for a commit. */
export const bytesPerSlice: number = 4 << 20;
/** Row keys of which both sides' bytes are compared when a task begins: of equal keys that are written differently one in as many as there are partitions is seen in both. */
export const keysCompared: number = 1000;
/** Levels of objects and arrays in one JSON value. Debezium needs 5, with its schema envelope 9; a deeper one would exhaust the stack. */
export const maxNestingDepth: number = 64;
/**
 * Milliseconds that a record's commit time may lie after the record's own timestamp, beside the declared skew: clocks of servers differ by
 * seconds, and one time far ahead would move a watermark for ever. An hour, as Kafka's own bound (message.timestamp.after.max.ms).
 */
export const commitTimeAheadMsMax: number = 3_600_000;
/** Milliseconds between two status records of a task and of its partitions: often enough for an operator, rare enough for a compacted topic. */
export const statusEveryMs: number = 10_000;
/** Milliseconds after which a task whose last word was not that it is closed is not heard of any more: its process is gone, or stands still. Three status records. */
export const taskSilentMs: number = 3 * statusEveryMs;
/** Milliseconds beyond lag, skew and lateness for which a partition may hold one window before it is called stalled: that long, evidence takes to come in the normal course. */
export const stalledAfterMs: number = 30_000;
/** Bytes of one line of a capture. 64 times Kafka's default largest record; a longer line is a file without line ends. */
export const maxLineBytes: number = 64 << 20;
/** Bytes of a capture read at once. A block is the unit of the readers' cache; a longer line makes its block longer. */
export const captureBlockBytes: number = 256 << 10;
/** Lines of a block, so that the tables of a block of very short lines stay below a quarter of a megabyte. */
export const captureBlockLines: number = 4096;
/** Bytes of blocks kept that no reader stands in: partitions that lie line by line in one file and are read in step share them. */
export const captureCacheBytes: number = 8 << 20;
/** Bytes of one record's key or value: below 2^24, so that the length of a column fits the three bytes of its header. */
export const maxRecordBytes: number = (16 << 20) - 1;
/** Rows whose prints a decoder remembers by their bytes, 24 bytes each: a row that is changed again within that many needs not be read twice. */
export const beforeMemoEntries: number = 1 << 16;
/** Distinct schemas of a side kept compiled (in-record schema envelopes, orders of columns). Beyond it they are compiled again. */
export const compiledSchemas: number = 64;
/** Bytes of an object that is learned from: what is kept of each order of columns. A longer one is read member by member. */
export const templateBytesMax: number = 16 << 10;
/** Columns of one row. PostgreSQL allows 1,600, MySQL and MariaDB 4,096. */
export const maxColumns: number = 4096;
/**
 * Bytes of the write buffers of one store family: small, so that the write-ahead log and the time to open a store stay small. RocksDB takes a quarter
 * for each, writes them out two by two, and stops writers at six: a family has half of it as a rule, and one and a half times as much at most.
 */
export const rocksdbMemtableBytes: number = 8 << 20;
/**
 * The same for a family that is written rarely. The write-ahead log is kept back to the oldest change of any family that is in no file yet, and at most
 * to four times what all buffers could hold: with those of the size above, 435 MB, all of it read again by the next start.
 */
export const rocksdbRareMemtableBytes: number = 1 << 20;
/** Bytes of the block cache of one store family; caches are not shared between families. */
export const rocksdbCacheBytes: number = 8 << 20;
/** Bytes of both for a family of a few keys (positions), and so the least buffer that RocksDB takes: a position of 30 bytes with each commit fills it in ten minutes. */
export const rocksdbSmallBytes: number = 256 << 10;
/** Rows that an engine in another thread reads at once. */
export const engineRowsAtOnce: number = 1024;
/** Milliseconds that a call to such an engine may take: a write may wait for a compaction; beyond this the thread is stuck, and its process says so and ends. */
export const engineAnswerMsMax: number = 600_000;
/** Bytes of the read cache of one store family: beyond it, the next read starts with an empty cache. */
export const overlayReadCacheBytes: number = 8 << 20;
/** Bytes that an entry of an overlay costs beside its key and its value (measured: 290 of the heap, 100 of the allocator); without them a cache of small rows would be fifty times its bound. */
export const overlayEntryBytes: number = 400;
/** Bytes of a canonical key, and of an origin: what the durable forms keep their lengths in (two bytes). */
export const maxKeyBytes: number = 65_535;
/** Bytes of a value that a dead letter carries; enough to see what is wrong, small enough for any topic. */
export const deadLetterValueBytes: number = 64 * 1024;
/** Overlay bytes after which a one-shot run writes to its state store. */
export const overlayBytesMax: number = 8 << 20;
/** Bytes of outputs that wait for a commit of a service, beyond which it is due: dead letters of a topic in another format come as fast as it is read. */
export const outputBytesMax: number = 8 << 20;
/** Milliseconds between two commits at most, as may be configured: so much is read again after a crash, and so old are verdicts when they are published. */
export const commitIntervalMsMax: number = 60_000;
/** Records up to which a one-shot run keeps its state in memory rather than in a database of its own. */
export const recordsInMemoryMax: number = 50_000;
/** Bytes of one segment of the embedded log in memory; a larger record gets one of its own. */
export const embeddedSegmentBytes: number = 1 << 20;
/** Bytes of window summaries that a shard keeps in memory (some 0.8 an event); older ones are read from the store when a finding looks back. */
export const historySummaryBytesMax: number = 16 << 20;
/** Deletes of one key with findings that the target had one behind the other, whose positions are kept by policy `replay`: nearly 100 bytes each. */
export const deleteTrailMax: number = 64;
/** Pairs of source and target changes of one key that one closing compares in match mode `alignment`: some 10 ms, and a byte of memory each. */
export const alignmentWorkMax: number = 1 << 20;
/** Keys of a shard's side whose last row print is kept when its slot is gone, 96 bytes each, beside what one window holds; of others a change after a long pause is not held against the one before it. */
export const lastRowsMax: number = 1 << 17;
/** Rows that are kept in the store of a side's younger half of those keys, by key, before they are written anew, each key once: a third more is written, and the store is bounded. */
export const lastRowsRewrittenAt: number = 4;
/** Bytes of a shard's filter over the keys that ever had a finding, a power of two: of a hundred thousand keys one ask in 200,000 is in vain, of a million one in fifty. */
export const troubledFilterBytes: number = 1 << 20;
/** Records of a side that could not be read, and late ones, as a shard keeps them, each so many; beyond it, no change is held against one that lies before the last of those. */
export const blindSpotsMax: number = 1024;
/** Consecutive source changes that are missing on the target, from which on the run is a coverage gap (ruling 24): fewer are lost one by one. */
export const coverageGapChanges: number = 64;
/** Changes of both sides together that a rough alignment looks ahead for the next equal pair; below 1,024. */
export const resyncReach: number = 24;
/** Bytes of a segment file of the durable log at which the next begins: what retention drops at once, and what is scanned at open. */
export const logSegmentBytes: number = 64 << 20;
/** Bytes of one append to the durable log: it is built, checked and read as one piece. */
export const logBatchBytesMax: number = 256 << 20;
/** Bytes that a reader of the durable log reads at once; a longer append makes it longer. */
export const logReadBytes: number = 256 << 10;
/** Bytes of what was read of the durable log and no reader stands in, kept for those that come behind: partitions of one topic lie batch by batch in one file. */
export const logCacheBytes: number = 8 << 20;
/** Bytes of the durable log between two entries of its index for one partition: 64 KiB are passed over in some 50 microseconds. */
export const logIndexIntervalBytes: number = 64 << 10;
/** Keys of one partition that a compaction holds at once, some 100 bytes each; the records of further keys stay until the next one. */
export const logCompactionKeysMax: number = 1_000_000;
/** Milliseconds that a compacted topic keeps a tombstone, so that whoever restores from it sees the deletion; a day, as Kafka. */
export const logTombstoneMs: number = 86_400_000;
/** Milliseconds between two passes of retention and compaction: a segment fills in minutes at the fastest, and a pass with nothing to do costs nothing. */
export const logMaintenanceMs: number = 30_000;
/** Milliseconds between two looks of a reader in another process for what was appended. */
export const logPollMs: number = 100;
/** Times a directory of the log is read again because segments came or went meanwhile; more is no race. */
export const logRacesMax: number = 5;
/** Window segments in memory at once while a task is restored: a segment is some hundred kilobytes. */
export const segmentsReadAtOnce: number = 8;
/** Bytes of keys and values written to the local store at once while it is restored. */
export const restoreBatchBytes: number = 1 << 20;
/** Transactions of a side of which changes were read and no END, some 100 bytes each: those that are long, and those whose END is lost. With more, ENDs are not held against what was read. */
export const transactionsOpenMax: number = 1 << 16;
/** Manifest records of one window with all their detail, some 600 bytes each; of those beyond it key and class are told, some 250 bytes. */
export const windowDetailsMax: number = 10_000;
/** Torn transactions that a verdict names, beyond which they are only counted: a sink that drops every tenth record tears them all. */
export const tornTransactionsMax: number = 500;
/** Rows that a verdict names of one torn transaction, some 40 bytes each, beyond which they are only counted: a verdict fits a record of a topic (1 MB). */
export const tornKeysMax: number = 20;
/** Transactions of windows, and rows that they lost, that a merge of several shards remembers, some 200 bytes each: what says which of them are torn. With more, the oldest windows are forgotten. */
export const tornMemoryMax: number = 500_000;
/** Differences between a store and its changelog that `state verify` names, beyond which they are only counted. */
export const stateDifferencesMax: number = 20;
/** Rows that a walk over a whole store reads at once; a window segment is some hundred kilobytes. */
export const statePageRows: number = 64;
/** Milliseconds for a connection to a Kafka broker to stand, TLS and SASL included. */
export const kafkaConnectMs: number = 10_000;
/** Milliseconds for one answer of a broker; longer than its own time limit for a write (15 s). */
export const kafkaRequestMs: number = 20_000;
/** Milliseconds that a request is tried again while a cluster elects leaders: a crashed broker is noticed after 9 s, and led anew some seconds later. */
export const kafkaRetryMs: number = 60_000;
/** Milliseconds between two looks whether topics that are read have the partitions that they had; five minutes, as Kafka's own clients. */
export const kafkaMetadataMs: number = 300_000;
/** Milliseconds after which a topic that was there is taken for deleted: until then it may be told by a broker that was down, and has not heard of it yet. */
export const kafkaTopicGoneMs: number = 5000;
/** Milliseconds that a service which is to stop waits for one answer, and tries again what fails: both, and leaving the group, within the 30 s after which it is ended by force. */
export const kafkaStopMs: number = 8000;
/** Milliseconds after which what is tried again is told to the operator: an ordinary election is over by then. */
export const kafkaOutageMs: number = 2000;
/** Milliseconds that a broker waits for replicas to confirm a write. */
export const kafkaProduceMs: number = 15_000;
/** Milliseconds that a broker holds a fetch for which it has nothing. */
export const kafkaFetchWaitMs: number = 250;
/** Bytes of one fetch per partition: beyond a megabyte a slice of work gets longer and nothing gets cheaper. */
export const kafkaFetchPartitionBytes: number = 1 << 20;
/** Bytes of one fetch over all its partitions: one partition's fill it, so an answer is free as soon as that one's reader is through; the others are in the next. */
export const kafkaFetchBytes: number = kafkaFetchPartitionBytes;
/** Fetches in flight to one broker: one that waits at the end of its partitions must not hold back another that has much to read. */
export const kafkaFetchesInFlight: number = 3;
/** Bytes up to which a reader of a Kafka partition asks for more: one fetched set is worked on while the next is on its way. */
export const kafkaReaderBytes: number = 3 << 19;
/** Bytes of an answer from which on its memory is used again, and of a request from which on it is not copied into one piece: below, that costs more. */
export const kafkaSmallMessageBytes: number = 32 << 10;
/** Bytes of such memory that waits for an answer: a reader that has stepped through one asks for the next, so one for each of some readers. */
export const kafkaAnswersFreeBytes: number = 8 << 20;
/** Bytes of one answer of a broker; a longer one is no answer of a Kafka broker. */
export const kafkaAnswerBytesMax: number = 128 << 20;
/** Bytes of one decompressed record batch. */
export const kafkaBatchBytesMax: number = 256 << 20;
/** Bytes of one part of what a reconcile task says to its merge task: half of what a broker takes as one record by default. */
export const wordPartBytes: number = 512 << 10;
/** Milliseconds that what reconcile tasks say is kept for a merge task that is not there: a week, as Kafka keeps records by default. */
export const windowsRetentionMs: number = 7 * 86_400_000;
/** Bytes of records in one batch that is written, half of what a broker takes by default (1,048,588 with its header). */
export const kafkaWriteBatchBytes: number = 512 << 10;
/** Bytes of one request that writes; a broker takes 100 MiB. */
export const kafkaWriteRequestBytes: number = 16 << 20;
/** Milliseconds within which a task goes back to its last commit once, where the log has given its commit up: an outage is over by then, or it is none. */
export const taskGoesBackMs: number = 30_000;
/**
 * Milliseconds after which a task that has nothing to read commits its positions anew. A broker forgets those of a group that commits nothing, and a
 * transactional id that writes nothing, after a week as a rule; some are set to a day.
 */
export const positionsRenewedMs: number = 3_600_000;
/** Milliseconds after which a broker ends a transaction that nobody ends: until then readers stand before its records. */
export const kafkaTransactionMs: number = 10_000;
/** Milliseconds without a heartbeat after which a group gives an instance up: longer than a broker's crash takes to be noticed and healed (15 s). */
export const groupSessionMs: number = 20_000;
/** Milliseconds between two heartbeats of an instance: so long at most until it hears of a round, and a task that moves stands still. */
export const groupHeartbeatMs: number = 1_000;
/** Milliseconds that a round waits for an instance that is alive: it first commits and closes what the round before has taken away. */
export const groupRoundMs: number = 60_000;
/** Deaths of one worker thread in a row, each within `workerLifeMs`, after which the service stops: what kills it is there at each start. */
export const workerDeathsMax: number = 3;
/** Milliseconds after which a worker that dies has not died of its start. */
export const workerLifeMs: number = 60_000;
/** Milliseconds that an instance that ends tries to tell its group so: where it cannot, the end of its session does. */
export const groupLeaveMs: number = 2_000;
/** Milliseconds between two looks of a standby at its changelog: what it lacks when it takes the task over. */
export const standbyEveryMs: number = 500;
/** Records that a standby may lack when it takes a task over: some seconds to restore, as in Kafka Streams (acceptable.recovery.lag). */
export const groupAcceptableLag: number = 10_000;
