import {
  isIntegrationEventType,
  readIntegrationEvent,
  type IntegrationEntry,
  type IntegrationEventType,
} from '@saleschannel/contracts';
import { isLedgerPartition, type LedgerPartition } from './ledger-partitions.ts';

/** Maximum number of entries per message. More entries cost less each, but make a message slower. */
export const MAX_ENTRIES_PER_MESSAGE = 400;
/**
 * Maximum size of a message, unless a single entry is larger. RabbitMQ 4 accepts 16 MiB and closes the channel of a
 * larger message. Large messages also delay all others and fill the memory of their readers.
 */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

const CLOSING = ']}';
/** A message of a partition names it. Consumers also accept messages of another release, which do not. */
const openBody = (partition: LedgerPartition | undefined): string =>
  partition === undefined ? '{"entries":[' : `{"partition":${partition},"entries":[`;
const PARTITION = /^\{"partition":(\d+),/;

/** Returns the partition that a message names, as {@link toBodies} wrote it. */
export function readPartition(body: string): LedgerPartition | undefined {
  const written = PARTITION.exec(body)?.[1];
  const partition = written === undefined ? undefined : Number(written);
  return isLedgerPartition(partition) ? partition : undefined;
}

interface Bounds {
  readonly maxEntries?: number;
  readonly maxBytes?: number;
}

/** Returns the bodies of as few messages as can hold these entries, in their order. */
export function toBodies(
  events: readonly unknown[],
  partition?: LedgerPartition,
  { maxEntries = MAX_ENTRIES_PER_MESSAGE, maxBytes = MAX_MESSAGE_BYTES }: Bounds = {},
): string[] {
  const opening = openBody(partition);
  const joinBody = (parts: readonly string[]): string => `${opening}${parts.join(',')}${CLOSING}`;
  const bodies: string[] = [];
  let entries: string[] = [];
  let bytes = opening.length + CLOSING.length;
  for (const event of events) {
    const entry = JSON.stringify(event);
    const size = Buffer.byteLength(entry) + 1;
    if (entries.length > 0 && (entries.length === maxEntries || bytes + size > maxBytes)) {
      bodies.push(joinBody(entries));
      entries = [];
      bytes = opening.length + CLOSING.length;
    }
    entries.push(entry);
    bytes += size;
  }
  return entries.length > 0 ? [...bodies, joinBody(entries)] : bodies;
}

/**
 * Splits a message that is too large: first by bytes, then into single entries. Undefined for a single entry, and for a
 * body that is not an envelope.
 */
export function splitBody(body: string): string[] | undefined {
  const { entries } = JSON.parse(body) as { entries?: unknown };
  if (!Array.isArray(entries) || entries.length < 2) return undefined;
  const partition = readPartition(body);
  const byBytes = toBodies(entries, partition);
  return byBytes.length > 1 ? byBytes : toBodies(entries, partition, { maxEntries: 1 });
}

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
