export { removeBinding } from './bindings.ts';
export { createBroadcaster, listenToBroadcasts, type Broadcast } from './broadcast.ts';
export { Broker, brokerEnvironment, brokerUrl, createServiceBroker, type BrokerOptions } from './broker.ts';
export type { ConsumerOptions, EntryOf } from './consumer-options.ts';
export { Consumer } from './consumer.ts';
export { withDeadLetters, type DeadLetter, type DeadLetters } from './dead-letters.ts';
export { MAX_MESSAGE_BYTES } from './envelope.ts';
export {
  countApplied,
  createConflictGuard,
  readProgress,
  recordProgress,
  type ChannelProgress,
  type LedgerConflict,
  type SequencedChange,
} from './ledger-progress.ts';
export {
  ledgerPartitionOf,
  ledgerPartitions,
  ledgerQueue,
  type LedgerPartition,
  type LedgerQueue,
} from './ledger-partitions.ts';
export { readOutboxState, type OutboxState } from './outbox-rows.ts';
export { enqueue, enqueueForLedger, type TransferEvent } from './outbox.ts';
export { QueueLevels, type QueueLevel } from './queue-levels.ts';
export { createServiceRelay, Relay, type RelayOptions } from './relay.ts';
export {
  broadcasts,
  familyOf,
  permissionsOf,
  listenerPermissions,
  deadLetterPermissions,
  queueFamilies,
  queues,
  queuesOfFamily,
  routingKeyOf,
  type QueueFamily,
  type QueueName,
} from './topology.ts';
