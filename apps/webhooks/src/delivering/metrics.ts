import { durationHistogram, meter } from '@saleschannel/runtime';
import type { DisabledReason } from '../domain/endpoint.ts';
import type { Answer } from './sender.ts';

/** Counts attempts. */
export function createAttemptMetrics(): (answer: Answer, durationMs: number) => void {
  const attempts = meter().createCounter('webhook_attempts_total', { description: 'Attempts to deliver, by outcome' });
  const durations = durationHistogram('webhook_attempt_duration', 'Time of an attempt to deliver a message');
  return ({ error, statusCode }, durationMs) => {
    const outcome = error === undefined ? 'success' : statusCode === undefined ? 'no-answer' : 'refused';
    attempts.add(1, { outcome });
    durations.record(durationMs / 1_000, { outcome });
  };
}

interface Observed {
  /** How long the endpoint that is behind for longest has been so. */
  lagSeconds(): number;
  countDisabled(): Promise<readonly { readonly reason: DisabledReason; readonly endpoints: number }[]>;
}

export function observe({ lagSeconds, countDisabled }: Observed): void {
  meter()
    .createObservableGauge('webhook_lag_seconds', {
      description: 'How long events have waited to be taken up for an enabled endpoint of this replica',
    })
    .addCallback((result) => result.observe(lagSeconds()));
  meter()
    .createObservableGauge('webhook_endpoints_disabled', { description: 'Endpoints that are disabled, by the reason' })
    .addCallback(async (result) => {
      for (const { reason, endpoints } of await countDisabled()) result.observe(endpoints, { reason });
    });
}
