import {
  isIntegrationEventType,
  parseIntegrationEvent,
  type IntegrationEvent,
  type IntegrationEventType,
} from '@saleschannel/contracts';

/** One entry of an envelope, with its type. */
export type Entry<T extends IntegrationEventType = IntegrationEventType> = {
  [K in T]: { type: K; event: IntegrationEvent<K> };
}[T];

export interface Envelope {
  readonly entries: Entry[];
  /** Bodies of what cannot be read, each an envelope of its own, for the dead letters: one bad entry does not take the others with it. */
  readonly unreadable: Buffer[];
}

export const bodyOf = (entries: readonly unknown[]): Buffer => Buffer.from(JSON.stringify({ entries }));

/** Reads a message as far as it can be read. */
export function readEnvelope(type: unknown, content: Buffer, accepted: readonly IntegrationEventType[]): Envelope {
  const list = isIntegrationEventType(type) && accepted.includes(type) ? entriesOf(content) : undefined;
  if (!list) return { entries: [], unreadable: [content] };
  const entries: Entry[] = [];
  const unreadable: Buffer[] = [];
  for (const entry of list) {
    try {
      entries.push({ type, event: parseIntegrationEvent(type as IntegrationEventType, entry) } as Entry);
    } catch {
      unreadable.push(bodyOf([entry]));
    }
  }
  return { entries, unreadable };
}

function entriesOf(content: Buffer): unknown[] | undefined {
  try {
    const { entries } = JSON.parse(content.toString()) as { entries?: unknown };
    return Array.isArray(entries) ? entries : undefined;
  } catch {
    return undefined;
  }
}
