import type { ConfirmChannel } from 'amqplib';
import {
  durationHistogram,
  meter,
  type Counter,
  type ObservableGauge,
  type ObservableResult,
} from '@saleschannel/runtime';

/** Metrics of one queue's consumer. */
export interface ConsumerMetrics {
  readonly handled: Counter;
  readonly deadLettered: Counter;
  readonly deferred: Counter;
  /** Alias of `deferred` for one release. */
  readonly putOff: Counter;
  readonly returned: Counter;
  readonly durations: ReturnType<typeof durationHistogram>;
  readonly depth: ObservableGauge;
}

export const createConsumerMetrics = (): ConsumerMetrics => ({
  handled: meter().createCounter('saleschannel.messages.handled', { description: 'Handled entries' }),
  deadLettered: meter().createCounter('saleschannel.messages.dead_lettered', {
    description: 'Entries moved to the dead letters',
  }),
  deferred: meter().createCounter('saleschannel.messages.deferred', {
    description: 'Entries deferred because of a conflict, such as a lock',
  }),
  putOff: meter().createCounter('saleschannel.messages.put_off', {
    description: 'Deprecated name of saleschannel_messages_deferred_total',
  }),
  returned: meter().createCounter('saleschannel.messages.given_back', {
    description: 'Messages returned to their queue because the database was unavailable',
  }),
  durations: durationHistogram('messaging.process.duration', 'Time to handle a batch of entries'),
  depth: meter().createObservableGauge('saleschannel.queue_depth', { description: 'Messages waiting in a queue' }),
});

export type DepthObserver = (result: ObservableResult) => Promise<void>;

/** Creates an observer of the depths of queues, while there is a channel. */
export const createDepthObserver =
  (queues: readonly string[], channel: () => ConfirmChannel | undefined): DepthObserver =>
  async (result) => {
    for (const queue of queues) {
      const state = await channel()
        ?.checkQueue(queue)
        .catch(() => undefined);
      if (state) result.observe(state.messageCount, { queue });
    }
  };
