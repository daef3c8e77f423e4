// All that is taken of @platformatic/kafka, by file: the package's own entry compiles validators for everything at import, a whole CPU-second,
// and these files a tenth of it. The package exports only its entry, hence the paths. Why nothing else of it is used: README.md.
export { Reader } from '../../../node_modules/@platformatic/kafka/dist/protocol/reader.js';
export { Writer } from '../../../node_modules/@platformatic/kafka/dist/protocol/writer.js';
export { compressionsAlgorithms } from '../../../node_modules/@platformatic/kafka/dist/protocol/compression.js';
export { protocolErrorsCodesById } from '../../../node_modules/@platformatic/kafka/dist/protocol/errors.js';
export * as apiVersionsV4 from '../../../node_modules/@platformatic/kafka/dist/apis/metadata/api-versions-v4.js';
export * as metadataV12 from '../../../node_modules/@platformatic/kafka/dist/apis/metadata/metadata-v12.js';
export * as findCoordinatorV6 from '../../../node_modules/@platformatic/kafka/dist/apis/metadata/find-coordinator-v6.js';
export * as listOffsetsV9 from '../../../node_modules/@platformatic/kafka/dist/apis/consumer/list-offsets-v9.js';
export * as offsetFetchV9 from '../../../node_modules/@platformatic/kafka/dist/apis/consumer/offset-fetch-v9.js';
export * as joinGroupV9 from '../../../node_modules/@platformatic/kafka/dist/apis/consumer/join-group-v9.js';
export * as syncGroupV5 from '../../../node_modules/@platformatic/kafka/dist/apis/consumer/sync-group-v5.js';
export * as heartbeatV4 from '../../../node_modules/@platformatic/kafka/dist/apis/consumer/heartbeat-v4.js';
export * as leaveGroupV5 from '../../../node_modules/@platformatic/kafka/dist/apis/consumer/leave-group-v5.js';
export * as initProducerIdV5 from '../../../node_modules/@platformatic/kafka/dist/apis/producer/init-producer-id-v5.js';
export * as addPartitionsToTxnV3 from '../../../node_modules/@platformatic/kafka/dist/apis/producer/add-partitions-to-txn-v3.js';
export * as addOffsetsToTxnV4 from '../../../node_modules/@platformatic/kafka/dist/apis/producer/add-offsets-to-txn-v4.js';
export * as createTopicsV7 from '../../../node_modules/@platformatic/kafka/dist/apis/admin/create-topics-v7.js';
export * as deleteTopicsV6 from '../../../node_modules/@platformatic/kafka/dist/apis/admin/delete-topics-v6.js';
export * as deleteGroupsV2 from '../../../node_modules/@platformatic/kafka/dist/apis/admin/delete-groups-v2.js';
export * as describeGroupsV5 from '../../../node_modules/@platformatic/kafka/dist/apis/admin/describe-groups-v5.js';
export * as describeConfigsV4 from '../../../node_modules/@platformatic/kafka/dist/apis/admin/describe-configs-v4.js';
