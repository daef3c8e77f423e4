// The calls of rocksdb-native 3.18.1 that rocksdb-native-thread.ts uses, and no others: the package ships no types.
declare module 'rocksdb-native' {
  export interface OpenSettings {
    createIfMissing: boolean;
    writeBufferSize: number;
    maxWriteBufferNumber: number;
    maxBackgroundJobs: number;
    tableBlockSize: number;
  }

  export interface IteratorSettings { gte: Buffer; lt: Buffer; reverse: boolean; limit: number; capacity: number }

  /** `autoDestroy`: a batch that is not destroyed keeps `close` waiting for ever. */
  export interface BatchSettings { capacity: number; autoDestroy: true }

  export interface ReadBatch {
    get(key: Buffer): Promise<Buffer | null>;
    tryFlush(): void;
  }

  /** Holds on to the buffers, not to copies, until `flush` has returned. */
  export interface WriteBatch {
    tryPut(key: Buffer, value: Buffer): void;
    tryDelete(key: Buffer): void;
    tryDeleteRange(start: Buffer, end: Buffer): void;
    flush(): Promise<void>;
  }

  export default class RocksDB {
    constructor(path: string, settings: OpenSettings);
    ready(): Promise<void>;
    close(): Promise<void>;
    read(settings: BatchSettings): ReadBatch;
    write(settings: BatchSettings): WriteBatch;
    iterator(settings: IteratorSettings): AsyncIterable<{ key: Buffer; value: Buffer }>;
  }
}
