package peer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The join by origin, one instance per partition.
 *
 * <p>Store {@code pending}, keyed by (position, row key): a source change that waits for its application, or the mark
 * that it was applied (kept until the window after its own has closed, to tell a second application), or a target
 * change that waits for its source change. Store {@code windows}: counts of the open windows, and the frontier.
 * On the heap only what the stores can rebuild: counts, and the highest applied position per key with marks.
 */
final class Reconcile implements Processor<byte[], byte[], byte[], byte[]> {
  private static final byte WAITING = 0;
  private static final byte APPLIED = 1;
  private static final byte STRAY = 2;
  private static final int SOURCE = 0;
  private static final int TARGET = 1;
  private static final int MATCHED = 2;
  private static final int MISSING = 3;
  private static final int UNEXPECTED = 4;
  private static final int MISMATCH = 5;
  private static final int DUPLICATE = 6;
  private static final int REORDERED = 7;
  private static final int LATE = 8;
  private static final String[] NAMES = {"source", "target", "matched", "missing", "unexpected", "mismatch", "duplicate", "reordered", "late"};
  private static final long FRONTIER = -1;

  private final Change change = new Change();
  private final TreeMap<Long, long[]> open = new TreeMap<>();
  private final Map<Bytes, Long> highest = new HashMap<>();
  private final long[] watermark = {0, 0};
  private final AtomicLong[] processed = new AtomicLong[2];
  private ProcessorContext<byte[], byte[]> context;
  private KeyValueStore<Bytes, byte[]> pending;
  private KeyValueStore<Long, byte[]> windows;
  private long closed = Long.MIN_VALUE;
  private long lowest = Long.MAX_VALUE;
  private int strays;

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    pending = context.getStateStore("pending");
    windows = context.getStateStore("windows");
    int partition = context.taskId().partition();
    for (int side = 0; side < 2; side++) {
      processed[side] = Drive.PROCESSED.computeIfAbsent(
          new TopicPartition(side == SOURCE ? Settings.SOURCE : Settings.TARGET, partition), tp -> new AtomicLong(-1));
    }
    try (KeyValueIterator<Long, byte[]> all = windows.all()) {
      while (all.hasNext()) {
        KeyValue<Long, byte[]> entry = all.next();
        if (entry.key == FRONTIER) {
          closed = ByteBuffer.wrap(entry.value).getLong();
        } else {
          long[] counts = new long[NAMES.length];
          ByteBuffer.wrap(entry.value).asLongBuffer().get(counts);
          open.put(entry.key, counts);
        }
      }
    }
    try (KeyValueIterator<Bytes, byte[]> all = pending.all()) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> entry = all.next();
        long position = position(entry.key);
        lowest = Math.min(lowest, position);
        if (entry.value[0] == APPLIED) {
          highest.merge(Bytes.wrap(rowKey(entry.key, entry.value)), position, Math::max);
        } else if (entry.value[0] == STRAY) {
          strays++;
        }
      }
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RecordMetadata meta = context.recordMetadata().orElseThrow();
    int side = meta.topic().equals(Settings.SOURCE) ? SOURCE : TARGET;
    try {
      change.parse(record.value());
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    long window = Math.floorDiv(change.ts, Settings.WINDOW_US) * Settings.WINDOW_US;
    if (window + Settings.WINDOW_US <= closed) {
      count(Math.floorDiv(closed, Settings.WINDOW_US) * Settings.WINDOW_US, LATE);
    } else {
      count(window, side);
      if (side == SOURCE) {
        source(record.key());
      } else {
        target(record.key());
      }
    }
    if (change.ts - Settings.LATENESS_US > watermark[side]) {
      watermark[side] = change.ts - Settings.LATENESS_US;
      long until = Math.min(watermark[SOURCE], watermark[TARGET]) - Settings.LAG_US;
      while (!open.isEmpty() && open.firstKey() + Settings.WINDOW_US <= until) {
        close(open.firstKey());
      }
    }
    processed[side].lazySet(meta.offset());
  }

  private void source(byte[] key) {
    Bytes id = id(change.lsn, key);
    lowest = Math.min(lowest, change.lsn);
    if (strays > 0) {
      List<KeyValue<Bytes, byte[]>> early = new ArrayList<>();
      try (KeyValueIterator<Bytes, byte[]> range = pending.range(strayId(change.lsn, key, 0), strayId(change.lsn, key, Long.MAX_VALUE))) {
        range.forEachRemaining(early::add);
      }
      if (!early.isEmpty()) {
        long high = change.high;
        long low = change.low;
        long ts = change.ts;
        for (int i = 0; i < early.size(); i++) {
          ByteBuffer stray = ByteBuffer.wrap(early.get(i).value);
          pending.delete(early.get(i).key);
          strays--;
          if (i > 0) {
            found(DUPLICATE, key, ts, change.lsn, stray.getLong(25));
          }
          if (stray.getLong(9) != high || stray.getLong(17) != low) {
            found(MISMATCH, key, ts, change.lsn, stray.getLong(25));
          }
        }
        apply(id, key, change.lsn, ts, ByteBuffer.wrap(early.get(0).value).getLong(25));
        return;
      }
    }
    pending.put(id, value(WAITING, change.ts, change.high, change.low, 0));
  }

  private void target(byte[] key) {
    long origin = change.origin;
    Bytes id = id(origin, key);
    byte[] stored = origin == Change.NO_ORIGIN ? null : pending.get(id);
    if (stored == null) {
      pending.put(strayId(origin, key, change.lsn), value(STRAY, change.ts, change.high, change.low, change.lsn));
      lowest = Math.min(lowest, origin);
      strays++;
      return;
    }
    ByteBuffer source = ByteBuffer.wrap(stored);
    long ts = source.getLong(1);
    if (source.get(0) == APPLIED) {
      found(DUPLICATE, key, ts, origin, change.lsn);
    } else {
      apply(id, key, origin, ts, change.lsn);
    }
    if (source.getLong(9) != change.high || source.getLong(17) != change.low) {
      found(MISMATCH, key, ts, origin, change.lsn);
    }
  }

  private void apply(Bytes id, byte[] key, long origin, long ts, long target) {
    Long later = highest.put(Bytes.wrap(key), origin);
    if (later != null && later > origin) {
      highest.put(Bytes.wrap(key), later);
      found(REORDERED, key, ts, origin, target);
    }
    count(Math.floorDiv(ts, Settings.WINDOW_US) * Settings.WINDOW_US, MATCHED);
    pending.put(id, value(APPLIED, ts, change.high, change.low, target));
  }

  private void close(long window) {
    long end = window + Settings.WINDOW_US;
    List<KeyValue<Bytes, byte[]>> done = new ArrayList<>();
    long next = Long.MAX_VALUE;
    if (lowest < Long.MAX_VALUE) {
      try (KeyValueIterator<Bytes, byte[]> range = pending.range(bound(lowest), bound(Long.MAX_VALUE))) {
        while (range.hasNext()) {
          KeyValue<Bytes, byte[]> entry = range.next();
          long ts = ByteBuffer.wrap(entry.value).getLong(1);
          if (ts < (entry.value[0] == APPLIED ? window : end)) {
            done.add(entry);
          } else {
            next = Math.min(next, position(entry.key));
            if (entry.value[0] != STRAY && ts >= end + Settings.LATENESS_US) {
              break;
            }
          }
        }
      }
    }
    lowest = next;
    if (strays > 0) {
      try (KeyValueIterator<Bytes, byte[]> range = pending.range(bound(Long.MAX_VALUE), bound(-1))) {
        while (range.hasNext()) {
          KeyValue<Bytes, byte[]> entry = range.next();
          if (ByteBuffer.wrap(entry.value).getLong(1) < end) {
            done.add(entry);
          }
        }
      }
    }
    for (KeyValue<Bytes, byte[]> entry : done) {
      ByteBuffer value = ByteBuffer.wrap(entry.value);
      long position = position(entry.key);
      byte[] key = rowKey(entry.key, entry.value);
      switch (value.get(0)) {
        case WAITING -> found(MISSING, key, value.getLong(1), position, 0);
        case STRAY -> {
          strays--;
          found(UNEXPECTED, key, value.getLong(1), position, value.getLong(25));
        }
        default -> highest.remove(Bytes.wrap(key), position);
      }
      pending.delete(entry.key);
    }
    closed = end;
    long[] counts = open.remove(window);
    windows.delete(window);
    windows.put(FRONTIER, ByteBuffer.allocate(8).putLong(end).array());
    StringBuilder out = new StringBuilder(200).append("{\"shard\":").append(context.taskId().partition()).append(",\"window\":").append(window / 1000);
    for (int i = 0; i < NAMES.length; i++) {
      out.append(",\"").append(NAMES[i]).append("\":").append(counts[i]);
    }
    emit("verdicts", context.taskId().partition() + "/" + window / 1000, out.append('}').toString(), end);
  }

  private void found(int kind, byte[] key, long ts, long origin, long target) {
    long window = Math.floorDiv(ts, Settings.WINDOW_US) * Settings.WINDOW_US;
    count(window, kind);
    String row = new String(key, StandardCharsets.UTF_8).replaceAll("[^0-9]", "");
    emit("manifests", row, "{\"class\":\"" + NAMES[kind] + "\",\"key\":" + row + ",\"window\":" + window / 1000
        + (origin == Change.NO_ORIGIN ? "" : ",\"origin\":" + origin) + (target == 0 ? "" : ",\"target\":" + target) + "}", ts);
  }

  private void emit(String sink, String key, String value, long ts) {
    context.forward(new Record<>(key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8), ts / 1000), sink);
  }

  private void count(long window, int what) {
    long[] counts = open.get(window);
    if (counts == null) {
      open.put(window, counts = new long[NAMES.length]);
    }
    counts[what]++;
    ByteBuffer value = ByteBuffer.allocate(8 * counts.length);
    value.asLongBuffer().put(counts);
    windows.put(window, value.array());
  }

  private static Bytes id(long position, byte[] key) {
    return Bytes.wrap(ByteBuffer.allocate(8 + key.length).putLong(position).put(key).array());
  }

  private static Bytes strayId(long position, byte[] key, long target) {
    return Bytes.wrap(ByteBuffer.allocate(17 + key.length).putLong(position).put(key).put((byte) 0).putLong(target).array());
  }

  private static Bytes bound(long position) {
    return Bytes.wrap(ByteBuffer.allocate(8).putLong(position).array());
  }

  private static long position(Bytes id) {
    return ByteBuffer.wrap(id.get()).getLong();
  }

  private static byte[] rowKey(Bytes id, byte[] value) {
    return Arrays.copyOfRange(id.get(), 8, id.get().length - (value[0] == STRAY ? 9 : 0));
  }

  private static byte[] value(byte kind, long ts, long high, long low, long target) {
    return ByteBuffer.allocate(33).put(kind).putLong(ts).putLong(high).putLong(low).putLong(target).array();
  }
}
