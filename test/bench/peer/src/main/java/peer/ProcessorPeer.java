package peer;

import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** The reconciler on the Processor API. */
public final class ProcessorPeer {
  public static void main(String[] args) throws Exception {
    String store = Settings.STORE;
    StoreBuilder<?> pending;
    StoreBuilder<?> windows;
    if (store.equals("write-behind")) {
      pending = WriteBehindStore.builder("pending", Serdes.Bytes());
      windows = WriteBehindStore.builder("windows", Serdes.Long());
    } else {
      StoreBuilder<KeyValueStore<Bytes, byte[]>> builder = Stores.keyValueStoreBuilder(
          Stores.persistentKeyValueStore("pending"), Serdes.Bytes(), Serdes.ByteArray());
      pending = store.endsWith("-cached") ? builder.withCachingEnabled() : builder;
      windows = Stores.keyValueStoreBuilder(
          Stores.persistentKeyValueStore("windows"), Serdes.Long(), Serdes.ByteArray()).withCachingEnabled();
    }
    Topology topology = new Topology();
    topology.addSource("source", Settings.SOURCE);
    topology.addSource("target", Settings.TARGET);
    topology.addProcessor("reconcile", Reconcile::new, "source", "target");
    topology.addStateStore(pending, "reconcile");
    topology.addStateStore(windows, "reconcile");
    topology.addSink("verdicts", Settings.VERDICTS, "reconcile");
    topology.addSink("manifests", Settings.MANIFESTS, "reconcile");
    Drive.run(topology);
  }
}
