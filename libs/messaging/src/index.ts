export { brokerEnvironment, createBroker, type Broker } from './broker.ts';
export { listenToBroadcasts } from './broadcast.ts';
export { createConsumer, type Consumer } from './consumer.ts';
export { isQueueName, withDeadLetters, type DeadLetter, type DeadLetters } from './dead-letters.ts';
export type { Entry } from './envelope.ts';
export { enqueue, outboxSchema } from './outbox.ts';
export { createRelay, type Relay } from './relay.ts';
export { permissionsOf, queues, type QueueName } from './topology.ts';
