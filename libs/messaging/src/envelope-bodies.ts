import { isLedgerPartition, type LedgerPartition } from './ledger-partitions.ts';

/** Entries of one message at most: many make each cheap, too many make one slow. */
export const ENTRIES_PER_MESSAGE_AT_MOST = 400;
/**
 * Bytes of one message at most, unless a single entry is larger. RabbitMQ 4 takes 16 MiB and closes the channel of
 * whoever sends more. Large messages also hold up all others, and fill the memory of whoever reads them.
 */
export const MESSAGE_BYTES_AT_MOST = 1024 * 1024;

const CLOSING = ']}';
/** A message of a partition says so. One of another release is read all the same, wherever it is. */
const openingOf = (partition: LedgerPartition | undefined): string =>
  partition === undefined ? '{"entries":[' : `{"partition":${partition},"entries":[`;
const PARTITION = /^\{"partition":(\d+),/;

/** The partition that a message is for, as {@link bodiesOf} wrote it. */
export function partitionIn(body: string): LedgerPartition | undefined {
  const written = PARTITION.exec(body)?.[1];
  const partition = written === undefined ? undefined : Number(written);
  return isLedgerPartition(partition) ? partition : undefined;
}

interface Bounds {
  readonly entriesAtMost?: number;
  readonly bytesAtMost?: number;
}

/** The bodies of as few messages as hold these entries, in their order. */
export function bodiesOf(
  events: readonly unknown[],
  partition?: LedgerPartition,
  { entriesAtMost = ENTRIES_PER_MESSAGE_AT_MOST, bytesAtMost = MESSAGE_BYTES_AT_MOST }: Bounds = {},
): string[] {
  const opening = openingOf(partition);
  const bodyOf = (parts: readonly string[]): string => `${opening}${parts.join(',')}${CLOSING}`;
  const bodies: string[] = [];
  let entries: string[] = [];
  let bytes = opening.length + CLOSING.length;
  for (const event of events) {
    const entry = JSON.stringify(event);
    const size = Buffer.byteLength(entry) + 1;
    if (entries.length > 0 && (entries.length === entriesAtMost || bytes + size > bytesAtMost)) {
      bodies.push(bodyOf(entries));
      entries = [];
      bytes = opening.length + CLOSING.length;
    }
    entries.push(entry);
    bytes += size;
  }
  return entries.length > 0 ? [...bodies, bodyOf(entries)] : bodies;
}

/**
 * Smaller messages with the same entries: those of a message that is too large first by bytes, then one by one.
 * Undefined for a single entry, and for what is no envelope.
 */
export function smallerBodiesOf(body: string): string[] | undefined {
  const { entries } = JSON.parse(body) as { entries?: unknown };
  if (!Array.isArray(entries) || entries.length < 2) return undefined;
  const partition = partitionIn(body);
  const byBytes = bodiesOf(entries, partition);
  return byBytes.length > 1 ? byBytes : bodiesOf(entries, partition, { entriesAtMost: 1 });
}
