package peer;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;

/** Runs a topology until everything that was in the input topics at the start is processed and committed. */
final class Drive {
  static final Map<TopicPartition, AtomicLong> PROCESSED = new ConcurrentHashMap<>();

  private Drive() {}

  /** The last offset of a partition is the marker of the transaction that wrote its records. */
  static void run(Topology topology) throws Exception {
    Properties config = Settings.streams();
    Map<TopicPartition, Long> ends = new HashMap<>();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", Settings.BOOTSTRAP));
        KafkaStreams streams = new KafkaStreams(topology, config)) {
      Map<TopicPartition, OffsetSpec> ask = new HashMap<>();
      admin.describeTopics(List.of(Settings.SOURCE, Settings.TARGET)).allTopicNames().get().values().forEach(topic ->
          topic.partitions().forEach(p -> ask.put(new TopicPartition(topic.name(), p.partition()), OffsetSpec.latest())));
      admin.listOffsets(ask).all().get().forEach((tp, end) -> ends.put(tp, end.offset()));
      streams.setUncaughtExceptionHandler(e -> {
        e.printStackTrace();
        Runtime.getRuntime().halt(1);
        return StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
      });
      streams.start();
      while (!ends.entrySet().stream().allMatch(e -> e.getValue() == 0
          || PROCESSED.containsKey(e.getKey()) && PROCESSED.get(e.getKey()).get() >= e.getValue() - 2)) {
        Thread.sleep(50);
      }
      streams.close(Duration.ofSeconds(60));
    }
  }
}
