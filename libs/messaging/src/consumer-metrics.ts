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
  readonly delayed: Counter;
  readonly givenBack: Counter;
  readonly durations: ReturnType<typeof durationHistogram>;
  readonly depth: ObservableGauge;
}

export const createConsumerMetrics = (): ConsumerMetrics => ({
  handled: meter().createCounter('saleschannel.messages.handled', { description: 'Entries handled' }),
  deadLettered: meter().createCounter('saleschannel.messages.dead_lettered', {
    description: 'Entries put among the dead letters',
  }),
  delayed: meter().createCounter('saleschannel.messages.put_off', {
    description: 'Entries that had to wait because somebody else was in the way',
  }),
  givenBack: meter().createCounter('saleschannel.messages.given_back', {
    description: 'Messages given back to their queue because the database was lost',
  }),
  durations: durationHistogram('messaging.process.duration', 'Time to handle a batch of entries'),
  depth: meter().createObservableGauge('saleschannel.queue_depth', { description: 'Messages that wait in a queue' }),
});

export type DepthObserver = (result: ObservableResult) => Promise<void>;
