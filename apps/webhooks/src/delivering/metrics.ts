import { createStageLag, durationHistogram, meter } from '@saleschannel/runtime';
import type { Delivery } from '../domain/delivery.ts';
import type { DisabledReason } from '../domain/endpoint.ts';
import type { AttemptResult } from './sender.ts';

/** Returns a function that counts an attempt. */
export function createAttemptMetrics(): (delivery: Delivery, result: AttemptResult, durationMs: number) => void {
  const attempts = meter().createCounter('saleschannel.webhook.attempts', {
    description: 'Delivery attempts, by outcome',
  });
  const durations = durationHistogram(
    'saleschannel.webhook.attempt.duration',
    'Time of an attempt to deliver a message',
  );
  const lagSince = createStageLag('webhook');
  return ({ event, attemptCount }, { error, statusCode }, durationMs) => {
    const outcome = error === undefined ? 'success' : statusCode === undefined ? 'no-answer' : 'refused';
    attempts.add(1, { outcome });
    durations.record(durationMs / 1_000, { outcome });
    if (event && attemptCount === 0) lagSince(Date.parse(event.createdAt));
  };
}

interface Gauges {
  /** Time for which the most delayed endpoint has been behind the log. */
  lagSeconds(): number;
  countDisabled(): Promise<readonly { readonly reason: DisabledReason; readonly endpoints: number }[]>;
}

export function registerGauges({ lagSeconds, countDisabled }: Gauges): void {
  meter()
    .createObservableGauge('saleschannel.webhook.lag', {
      unit: 's',
      description: 'Time that events have waited for delivery to an enabled endpoint of this replica',
    })
    .addCallback((result) => result.observe(lagSeconds()));
  meter()
    .createObservableGauge('saleschannel.webhook.endpoints_disabled', {
      description: 'Disabled endpoints, by reason',
    })
    .addCallback(async (result) => {
      for (const { reason, endpoints } of await countDisabled()) result.observe(endpoints, { reason });
    });
}
