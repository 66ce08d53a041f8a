import {
  metrics,
  type Counter,
  type Histogram,
  type Meter,
  type ObservableGauge,
  type ObservableResult,
} from '@opentelemetry/api';
import { hostedService } from './work-context.ts';

/** Maximum keys with their own counters. */
const NAMED_AT_MOST = 50;
/** Interval between rankings. */
const WINDOW_MS = 60_000;
/** Maximum keys counted per window. */
const COUNTED_AT_MOST = 10_000;
/** A named key stays until another is this many times as busy, because short series are of little use. */
const HYSTERESIS = 2;

/** Name under which all other keys are combined. */
export const OTHER_KEYS = 'other';

interface BusiestCount {
  readonly key: string;
  readonly kind: string;
  readonly count: number;
}

/**
 * Counts by a key with too many values for a label, such as the sales channel: the busiest keys of the last minute by
 * name, all others combined. The count of a newly named key starts at 0, and the series of a key that loses its name
 * ends. Prometheus treats both like a restart of the process.
 */
export class BusiestCounts {
  readonly #now: () => number;
  readonly #namedAtMost: number;
  readonly #named = new Map<string, Map<string, number>>();
  readonly #others = new Map<string, number>();
  #recent = new Map<string, number>();
  #windowStart: number;

  constructor(options: { now?: () => number; namedAtMost?: number } = {}) {
    this.#now = options.now ?? (() => performance.now());
    this.#namedAtMost = options.namedAtMost ?? NAMED_AT_MOST;
    this.#windowStart = this.#now();
  }

  add(key: string, kind: string): void {
    const recent = this.#recent.get(key);
    if (recent !== undefined || this.#recent.size < COUNTED_AT_MOST) this.#recent.set(key, (recent ?? 0) + 1);
    let counts = this.#named.get(key);
    if (!counts && this.#named.size < this.#namedAtMost) this.#named.set(key, (counts = new Map()));
    counts ??= this.#others;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }

  read(): BusiestCount[] {
    if (this.#now() - this.#windowStart >= WINDOW_MS) this.#rank();
    return [...this.#named, [OTHER_KEYS, this.#others] as const].flatMap(([key, counts]) =>
      [...counts].map(([kind, count]) => ({ key, kind, count })),
    );
  }

  #rank(): void {
    const score = (key: string): number => (this.#recent.get(key) ?? 0) * (this.#named.has(key) ? HYSTERESIS : 1);
    const ranked = [...new Set([...this.#named.keys(), ...this.#recent.keys()])].toSorted(
      (one, other) => score(other) - score(one),
    );
    const busiest = new Set(ranked.slice(0, this.#namedAtMost));
    for (const key of this.#named.keys()) if (!busiest.has(key)) this.#named.delete(key);
    for (const key of busiest) if (!this.#named.has(key)) this.#named.set(key, new Map());
    this.#recent = new Map();
    this.#windowStart = this.#now();
  }
}

/** A counter by sales channel, for the exporter. */
export interface ChannelCounter {
  /** Hosted service that counts. Undefined in a process of one service. */
  readonly service: string | undefined;
  readonly name: string;
  readonly description: string;
  /** Name of the second label. */
  readonly kind: string;
  read(): BusiestCount[];
}

const counters = new Map<string, ChannelCounter>();

export const channelCounters = (): readonly ChannelCounter[] => [...counters.values()];

/** Removes all counters, so that the next exporter starts without those of a stopped one. */
export const resetChannelCounters = (): void => counters.clear();

/**
 * Creates a counter by sales channel. There may be thousands of channels: see {@link BusiestCounts}. The counters of
 * the SDK keep every value of a label for ever, and combine all after the first 2,000.
 */
export function countBySalesChannel(
  definition: Omit<ChannelCounter, 'read' | 'service'>,
): (id: string, kind: string) => void {
  const counts = new BusiestCounts();
  const service = hostedService();
  counters.set(`${service} ${definition.name}`, { ...definition, service, read: () => counts.read() });
  return (salesChannelId, kind) => counts.add(salesChannelId, kind);
}

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
