// The calls of @nxtedition/rocksdb 12.2.12 that rocksdb-nxtedition.ts uses, and no others: the package ships no types, and of its public
// surface several calls leak or crash (see there). Most of these are private to it, hence the exact version in package.json.
declare module '@nxtedition/rocksdb' {
  /** A column family of an open database; dead after close. */
  export interface Column { readonly _column: never }
  export interface ColumnOption { readonly column: Column }

  export interface ColumnSettings {
    compaction?: 'level' | 'universal';
    memtableMemoryBudget?: number;
    cacheSize?: number;
    compression?: boolean;
    blockSize?: number;
    cacheIndexAndFilterBlocks?: boolean;
  }

  export interface OpenSettings extends ColumnSettings {
    keyEncoding: 'buffer';
    valueEncoding: 'buffer';
    createIfMissing: boolean;
    parallelism: number;
    walCompression: boolean;
    columns: Record<string, ColumnSettings>;
  }

  export interface QuerySettings extends ColumnOption {
    keyEncoding: 'buffer';
    valueEncoding: 'buffer';
    gte?: Buffer;
    lt?: Buffer;
    limit?: number;
    reverse?: boolean;
  }

  export interface Batch {
    _put(key: Buffer, value: Buffer, options: ColumnOption): void;
    _del(key: Buffer, options: ColumnOption): void;
    _writeSync(options: object): void;
    _clear(): void;
    close(): Promise<void>;
  }

  export class RocksLevel {
    constructor(path: string, options: OpenSettings);
    readonly columns: Readonly<Record<string, Column>>;
    open(): Promise<void>;
    close(): Promise<void>;
    querySync(options: QuerySettings): { rows: Buffer[] };
    _getManySync(keys: readonly Buffer[], options: ColumnOption & { valueEncoding: 'buffer' }): (Buffer | undefined)[];
    _chainedBatch(): Batch;
    _clear(options: ColumnOption & { gte: Buffer; lt: Buffer }, callback: (error: Error | null) => void): void;
  }
}
