import {
  isIntegrationEventType,
  readIntegrationEvent,
  type IntegrationEntry,
  type IntegrationEventType,
} from '@saleschannel/contracts';

/** A message, as far as it is readable. */
export type Envelope =
  | {
      readonly kind: 'known';
      readonly entries: IntegrationEntry[];
      /** Unreadable entries, each as an envelope of its own, so that they do not affect the others. */
      readonly unreadable: Buffer[];
    }
  /** The type is unknown to this release, or not expected here. A newer release may handle it. */
  | { readonly kind: 'unknown-type'; readonly type: string };

export const toBody = (events: readonly unknown[]): Buffer => Buffer.from(JSON.stringify({ entries: events }));

/** Parses a message. A message without a type is unreadable as a whole. */
export function readEnvelope(type: unknown, content: Buffer, accepted: readonly IntegrationEventType[]): Envelope {
  if (typeof type !== 'string' || type === '') return { kind: 'known', entries: [], unreadable: [content] };
  if (!isIntegrationEventType(type) || !accepted.includes(type)) return { kind: 'unknown-type', type };
  const events = parseEntries(content);
  if (!events) return { kind: 'known', entries: [], unreadable: [content] };
  const entries: IntegrationEntry[] = [];
  const unreadable: Buffer[] = [];
  for (const event of events) {
    const entry = readIntegrationEvent(type, event);
    if (entry) entries.push(entry);
    else unreadable.push(toBody([event]));
  }
  return { kind: 'known', entries, unreadable };
}

function parseEntries(content: Buffer): unknown[] | undefined {
  try {
    const { entries } = JSON.parse(content.toString()) as { entries?: unknown };
    return Array.isArray(entries) ? entries : undefined;
  } catch {
    return undefined;
  }
}
