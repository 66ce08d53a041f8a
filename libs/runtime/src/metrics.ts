import {
  metrics,
  type Counter,
  type Histogram,
  type Meter,
  type ObservableGauge,
  type ObservableResult,
} from '@opentelemetry/api';
import { hostedService } from './hosting.ts';

export type { Counter, Histogram, ObservableGauge, ObservableResult };

/** What the name of a meter begins with. That of a hosted service follows. */
const METER = 'saleschannel';
const HOSTED_METER = `${METER}/`;

/** Names are those of OpenTelemetry's conventions, or begin with `saleschannel.`. The exporter adds units to them. */
export const meter = (): Meter => metrics.getMeter(meterName(hostedService()));

export const meterName = (service: string | undefined): string =>
  service === undefined ? METER : `${HOSTED_METER}${service}`;

/** The hosted service that a meter belongs to. Undefined for the meters of the process itself. */
export const serviceOfMeter = (name: string): string | undefined =>
  name.startsWith(HOSTED_METER) ? name.slice(HOSTED_METER.length) : undefined;

/** OpenTelemetry's own boundaries are meant for milliseconds: of seconds, nearly all would fall into one bucket. */
const DURATION_BOUNDARIES_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A histogram of durations in seconds. */
export const durationHistogram = (name: string, description: string): Histogram =>
  meter().createHistogram(name, {
    unit: 's',
    description,
    advice: { explicitBucketBoundaries: DURATION_BOUNDARIES_SECONDS },
  });

/** Counts the use of a cache. Counting costs an addition: it is read when somebody asks for metrics. */
export interface CacheUse {
  /** Returns what it is given, which is undefined for a miss. */
  found<T>(value: T | undefined): T | undefined;
}

/** @param cache its name in `saleschannel.cache.requests` */
export function countCacheUse(cache: string): CacheUse {
  let hits = 0;
  let misses = 0;
  meter()
    .createObservableCounter('saleschannel.cache.requests', { description: 'Cache look-ups, by result' })
    .addCallback((result) => {
      result.observe(hits, { cache, result: 'hit' });
      result.observe(misses, { cache, result: 'miss' });
    });
  return {
    found(value) {
      if (value === undefined) misses += 1;
      else hits += 1;
      return value;
    },
  };
}

/**
 * Records how long ago something happened that a stage has dealt with now. Two machines' clocks are compared, so it may
 * be off by their difference, and is never negative.
 * @param stage of those that a trade goes through, its name in `saleschannel.stage.lag`
 */
export function createStageLag(stage: string): (sinceMs: number) => void {
  const lag = durationHistogram('saleschannel.stage.lag', 'Time that a trade takes to pass a stage');
  const attributes = { stage };
  return (sinceMs) => lag.record(Math.max(0, Date.now() - sinceMs) / 1_000, attributes);
}
