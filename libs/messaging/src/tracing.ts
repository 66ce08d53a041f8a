import type { IntegrationEntry } from '@saleschannel/contracts';
import { openSpan, withSpan } from '@saleschannel/runtime';
import { familyOf, partitionOf, type QueueName } from './topology.ts';

const traceparentOf = ({ event }: IntegrationEntry): string => ('traceparent' in event ? event.traceparent : '');

/**
 * Handles a batch inside one span per traced entry, each in the trace of its own request. Entries are passed on with
 * the traceparent of their span, so that their effects continue it. Shared work is a span of its own, inside the first
 * of them and linked to the others.
 */
export async function withEntrySpans(
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
