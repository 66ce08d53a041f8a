import type { IncomingMessage } from 'node:http';

/** Cost of a request, beyond being one. */
export interface Cost {
  /** Bytes of the body: as announced, and as read once it is. */
  bodyBytes: number;
  /** Milliseconds for which its body kept the gateway's thread. */
  threadMs: number;
  /** Milliseconds that a read took, without waiting for its turn. */
  readMs: number;
}

/** One request of a rate limit covers this much. What is beyond it counts as further requests. */
const BYTES_PER_REQUEST = 16_384;
/** A client may announce any length. More than this is discarded unread, and not charged. */
const BODY_BYTES_AT_MOST = 1_048_576;
const THREAD_MS_PER_REQUEST = 0.5;
const READ_MS_PER_REQUEST = 10;
/** A read that takes longer mostly waits: for the client, or for a service that is away. */
const READ_MS_AT_MOST = 1_000;

/**
 * Bytes that a body has at most by its headers. A request that is refused before its body is read is charged for them,
 * since they arrive all the same and are discarded.
 */
export function announcedBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_BYTES_AT_MOST;
  return Number(headers['content-length'] ?? 0);
}

/** How many further requests a request counts for. 0 for usual ones. */
export const furtherRequests = ({ bodyBytes, threadMs, readMs }: Cost): number =>
  Math.floor(Math.min(bodyBytes, BODY_BYTES_AT_MOST) / BYTES_PER_REQUEST) +
  Math.floor(threadMs / THREAD_MS_PER_REQUEST) +
  Math.floor(Math.min(readMs, READ_MS_AT_MOST) / READ_MS_PER_REQUEST);
