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

/** Prefix of meter names. The name of a hosted service follows. */
const METER = 'saleschannel';
const HOSTED_METER = `${METER}/`;

/** Metrics have names of OpenTelemetry's conventions or the prefix `saleschannel.`. The exporter appends units. */
export const meter = (): Meter => metrics.getMeter(meterName(hostedService()));

export const meterName = (service: string | undefined): string =>
  service === undefined ? METER : `${HOSTED_METER}${service}`;

/** Returns the hosted service of a meter. Undefined for meters of the process. */
export const serviceOfMeter = (name: string): string | undefined =>
  name.startsWith(HOSTED_METER) ? name.slice(HOSTED_METER.length) : undefined;

/** OpenTelemetry's default boundaries are for milliseconds: nearly all durations in seconds would share one bucket. */
const DURATION_BOUNDARIES_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates a histogram of durations in seconds. */
export const durationHistogram = (name: string, description: string): Histogram =>
  meter().createHistogram(name, {
    unit: 's',
    description,
    advice: { explicitBucketBoundaries: DURATION_BOUNDARIES_SECONDS },
  });

/** Counts hits and misses of a cache. A count costs one addition. */
export interface CacheUse {
  /** Counts and returns the value. Undefined is a miss. */
  count<T>(value: T | undefined): T | undefined;
}

/** @param cache label of `saleschannel.cache.requests` */
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
    count(value) {
      if (value === undefined) misses += 1;
      else hits += 1;
      return value;
    },
  };
}

/**
 * Creates a recorder of the time from an event to its handling by a stage. It compares clocks of two machines, so it is
 * off by their difference, but never negative.
 * @param stage stage of a trade, label of `saleschannel.stage.lag`
 */
export function createStageLag(stage: string): (sinceMs: number) => void {
  const lag = durationHistogram('saleschannel.stage.lag', 'Time that a trade takes to pass a stage');
  const attributes = { stage };
  return (sinceMs) => lag.record(Math.max(0, Date.now() - sinceMs) / 1_000, attributes);
}
