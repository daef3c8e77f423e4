// A cluster from the settings of a log: for the log itself, for a member of the group, for whoever asks beforehand.
import { clientSettings, type KafkaCluster } from './client-properties.ts';
import { Cluster, type ClusterParts } from './cluster.ts';

/** As the settings of a log have it; nothing is asked yet. Throws a ParitasError (`config`, `input`) that names the property. */
export function clusterOf({ bootstrapServers, properties, allowTransactionsV1 }: KafkaCluster, parts: ClusterParts = {}): Cluster {
  const settings = clientSettings(properties);
  if (settings.ignored.length > 0) parts.say?.(`log.kafka.properties: ${settings.ignored.join(', ')} means nothing here`);
  return new Cluster(bootstrapServers, { ...settings, allowTransactionsV1 }, parts);
}

/** A cluster that has answered. Rejects with a ParitasError: what is wrong with address, password or version is said at once, not after a minute of trying. */
export async function openCluster(log: KafkaCluster, parts: ClusterParts = {}): Promise<Cluster> {
  const cluster = clusterOf(log, parts);
  await cluster.ask().catch((error: unknown) => {
    cluster.close();
    throw error;
  });
  return cluster;
}
