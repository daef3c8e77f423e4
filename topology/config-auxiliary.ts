// The topics beside a side's rows that say how far its log is complete: the transaction topic and the heartbeat topic.
import { resolve } from 'node:path';

import type { AuxiliaryTopic } from '../schemas/pair.ts';
import { list } from './config-columns.ts';
import type { SideFile } from './config-file.ts';
import type { Problems } from './config-problems.ts';
import { printPath } from './config-source.ts';
import type { ConfigPath } from './config-source.ts';

export interface AuxiliaryTopics { readonly transactions: AuxiliaryTopic | undefined; readonly heartbeat: AuxiliaryTopic | undefined }

/** Files are absolute afterwards; `path` is the side's. */
export function auxiliaryTopics(side: SideFile, path: ConfigPath, folder: string, problems: Problems): AuxiliaryTopics {
  const { transactionTopic, transactionFile, heartbeat } = side;
  if (heartbeat !== undefined && heartbeat.topic === undefined && list(heartbeat.file).length === 0) {
    problems.add([...path, 'heartbeat'], `${printPath([...path, 'heartbeat'])}: needs a topic or a file, e.g. { topic: src.public.heartbeat }`);
  }
  const topics = {
    transactions: auxiliaryTopic(transactionTopic, list(transactionFile), folder),
    heartbeat: heartbeat === undefined ? undefined : auxiliaryTopic(heartbeat.topic, list(heartbeat.file), folder),
  };
  checkTopics(side, topics, path, problems);
  return topics;
}

function auxiliaryTopic(topic: string | undefined, files: readonly string[], folder: string): AuxiliaryTopic | undefined {
  if (topic === undefined && files.length === 0) return undefined;
  return { topic: topic ?? '', files: files.map((file) => (file === '-' ? file : resolve(folder, file))) };
}

/** One topic has one part: a heartbeat topic taken for the rows' own would be judged as rows. */
function checkTopics(side: SideFile, { transactions, heartbeat }: AuxiliaryTopics, path: ConfigPath, problems: Problems): void {
  const rowFiles = list(side.file).length > 0;
  const named: { readonly at: ConfigPath; readonly key: string; readonly topic: AuxiliaryTopic | undefined }[] = [
    { at: [...path, 'transactionTopic'], key: 'transactionTopic', topic: transactions }, { at: [...path, 'heartbeat', 'topic'], key: 'heartbeat.topic', topic: heartbeat },
  ];
  for (const { at, key, topic } of named) {
    if (topic === undefined) continue;
    if (topic.topic !== '' && topic.topic === side.topic) problems.add(at, `${printPath(path)}.${key}: ${topic.topic} is the topic of the rows`);
    if (topic.topic === '' && !rowFiles) problems.add(at, `${printPath(path)}.${key}: is missing; the rows are read from a topic, so name this one too`);
    if (topic.files.length > 0 && !rowFiles) problems.add(at, `${printPath(path)}: has a file for its ${key} and none for its rows; give both a file, or both a topic of the log`);
  }
  if (transactions !== undefined && heartbeat !== undefined && transactions.topic !== '' && transactions.topic === heartbeat.topic) {
    problems.add([...path, 'heartbeat', 'topic'], `${printPath(path)}.heartbeat.topic: ${heartbeat.topic} is the transaction topic; a transaction's END is a heartbeat already, so leave it out here`);
  }
}
