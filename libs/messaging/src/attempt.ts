import { setTimeout as delay } from 'node:timers/promises';
import type { IntegrationEntry } from '@saleschannel/contracts';
import { isContended, isTransient } from '@saleschannel/database';
import { type Logger, openSpan, withSpan } from '@saleschannel/runtime';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import { type QueueName, familyOf, partitionOf } from './topology.ts';

const traceparentOf = ({ event }: IntegrationEntry): string => ('traceparent' in event ? event.traceparent : '');

/**
 * Handles a batch inside one span per traced entry, each in the trace of its own request. Entries are passed on with
 * the traceparent of their span, so that their effects continue it. Shared work is a span of its own, inside the first
 * of them and linked to the others.
 */
async function withEntrySpans(
  queue: QueueName,
  entries: readonly IntegrationEntry[],
  handle: (entries: IntegrationEntry[]) => Promise<void>,
): Promise<void> {
  const [family, partition] = [familyOf(queue), partitionOf(queue)];
  const attributes = {
    'messaging.system.name': 'rabbitmq',
    'messaging.destination.name': family,
    ...(partition !== undefined && { 'messaging.destination.partition.id': String(partition) }),
  };
  const spans = entries.map((entry) => {
    const parent = traceparentOf(entry);
    return parent === '' ? undefined : openSpan(`${family} process`, { kind: 'consumer', parent, attributes });
  });
  const continued = entries.map((entry, index) => {
    const span = spans[index];
    return span ? ({ ...entry, event: { ...entry.event, traceparent: span.traceparent } } as IntegrationEntry) : entry;
  });
  const [parent, ...links] = spans.flatMap((span) => span?.traceparent ?? []);
  try {
    const batch = { ...attributes, 'messaging.batch.message_count': entries.length };
    await withSpan(`${family} batch`, { parent, links, attributes: batch }, () => handle(continued));
    for (const span of spans) span?.end();
  } catch (error) {
    for (const span of spans) span?.end(error ?? new Error('failed without an error'));
    throw error;
  }
}

export const RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;

export interface AttemptOptions {
  readonly queue: QueueName;
  /** Name of the queue on the broker. */
  readonly queueName: string;
  readonly metrics: Pick<ConsumerMetrics, 'handled' | 'durations'>;
  readonly logger: Logger;
  handle(entries: readonly IntegrationEntry[]): Promise<void>;
  /** Whether to keep waiting while the database is unavailable. */
  mayWait(): boolean;
}

/** Handles entries, and retries while the database is unavailable. Returns the error, or undefined on success. */
export async function attemptBatch(options: AttemptOptions, entries: readonly IntegrationEntry[]): Promise<unknown> {
  const { queue, queueName, metrics, logger } = options;
  const processing = {
    'messaging.system.name': 'rabbitmq',
    'messaging.operation.name': 'process',
    'messaging.destination.name': queueName,
  };
  for (let wait = RETRY_MS; ; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
    const started = performance.now();
    const took = (): number => (performance.now() - started) / 1_000;
    try {
      await withEntrySpans(queue, entries, (continued) => options.handle(continued));
      metrics.handled.add(entries.length, { queue: queueName });
      metrics.durations.record(took(), processing);
      return undefined;
    } catch (error) {
      metrics.durations.record(took(), {
        ...processing,
        'error.type': isTransient(error) ? 'unavailable' : 'internal',
      });
      const isOutage = isTransient(error) && !isContended(error);
      if (!isOutage || !options.mayWait()) return error ?? new Error('failed without an error');
      logger.warn(
        { err: error, queue: queueName },
        `retrying: the database is unavailable: ${(error as Error).message}`,
      );
      await delay(wait);
      if (!options.mayWait()) return error;
    }
  }
}
