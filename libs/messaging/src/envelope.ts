import {
  isIntegrationEventType,
  readIntegrationEvent,
  type IntegrationEntry,
  type IntegrationEventType,
} from '@saleschannel/contracts';

/** A message, read as far as it can be read. */
export type Envelope =
  | {
      readonly kind: 'known';
      readonly entries: IntegrationEntry[];
      /** Bodies of what cannot be read, each an envelope of its own: one bad entry does not take the others with it. */
      readonly unreadable: Buffer[];
    }
  /** Of a type that this release does not know, or does not expect here. A newer release may. */
  | { readonly kind: 'unknown-type'; readonly type: string };

/** The body of a message with these entries. */
export const bodyOf = (events: readonly unknown[]): Buffer => Buffer.from(JSON.stringify({ entries: events }));

/** Reads a message. One without a type is unreadable as a whole. */
export function readEnvelope(type: unknown, content: Buffer, accepted: readonly IntegrationEventType[]): Envelope {
  if (typeof type !== 'string' || type === '') return { kind: 'known', entries: [], unreadable: [content] };
  if (!isIntegrationEventType(type) || !accepted.includes(type)) return { kind: 'unknown-type', type };
  const events = eventsOf(content);
  if (!events) return { kind: 'known', entries: [], unreadable: [content] };
  const entries: IntegrationEntry[] = [];
  const unreadable: Buffer[] = [];
  for (const event of events) {
    const entry = readIntegrationEvent(type, event);
    if (entry) entries.push(entry);
    else unreadable.push(bodyOf([event]));
  }
  return { kind: 'known', entries, unreadable };
}

function eventsOf(content: Buffer): unknown[] | undefined {
  try {
    const { entries } = JSON.parse(content.toString()) as { entries?: unknown };
    return Array.isArray(entries) ? entries : undefined;
  } catch {
    return undefined;
  }
}
