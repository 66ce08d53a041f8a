export { removeBinding } from './bindings.ts';
export { listenToBroadcasts } from './broadcast.ts';
export { Broker, brokerEnvironment, createServiceBroker, type BrokerOptions } from './broker.ts';
export { Consumer, type ConsumerOptions, type EntryOf } from './consumer.ts';
export { withDeadLetters, type DeadLetter, type DeadLetters } from './dead-letters.ts';
export { MESSAGE_BYTES_AT_MOST } from './envelope-bodies.ts';
export {
  createConflictGuard,
  readProgress,
  recordProgress,
  type ChannelProgress,
  type LedgerConflict,
  type PlacedChange,
} from './ledger-progress.ts';
export { enqueue } from './outbox.ts';
export { createServiceRelay, Relay, type RelayOptions } from './relay.ts';
export { permissionsOf, queues, type QueueName } from './topology.ts';
