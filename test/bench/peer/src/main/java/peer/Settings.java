package peer;

import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;

/** What the bench says in the environment, and the Kafka Streams configuration made of it. */
final class Settings {
  static final String BOOTSTRAP = env("BOOTSTRAP", "localhost:9092");
  static final String SOURCE = env("SOURCE_TOPIC", "source.shop.orders");
  static final String TARGET = env("TARGET_TOPIC", "target.shop.orders");
  static final String VERDICTS = env("VERDICT_TOPIC", "verdicts");
  static final String MANIFESTS = env("MANIFEST_TOPIC", "manifests");
  static final long WINDOW_US = 1000 * Long.parseLong(env("WINDOW_MS", "1000"));
  static final long LAG_US = 1000 * Long.parseLong(env("LAG_MS", "600"));
  static final long LATENESS_US = 1000 * Long.parseLong(env("LATENESS_MS", "100"));
  /** rocksdb | rocksdb-cached | write-behind. */
  static final String STORE = env("STORE", "rocksdb");

  private Settings() {}

  static Properties streams() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, env("APP_ID", "peer"));
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, BOOTSTRAP);
    config.put(StreamsConfig.STATE_DIR_CONFIG, env("STATE_DIR", System.getProperty("java.io.tmpdir")));
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, env("COMMIT_MS", "1000"));
    config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, "1");
    config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, "67108864");
    config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class);
    config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class);
    config.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, "0");
    config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, "1");
    config.put("auto.offset.reset", "earliest");
    return config;
  }

  static String env(String name, String otherwise) {
    String value = System.getenv(name);
    return value == null || value.isEmpty() ? otherwise : value;
  }
}
