import type { IncomingMessage } from 'node:http';

/** Cost of a request, beyond its count. */
export interface RequestCost {
  /** Body size: announced, or actual once it has been read. */
  bodyBytes: number;
  /** Thread time to parse and check the body. */
  threadMs: number;
  /** Duration of a read, without its queue time. */
  readMs: number;
}

/** Bytes included in one request of a rate limit. More bytes count as further requests. */
const BYTES_PER_REQUEST = 16_384;
/** A client may announce any length. Bytes beyond this are discarded unread, and not charged. */
const BODY_BYTES_AT_MOST = 1_048_576;
const THREAD_MS_PER_REQUEST = 0.5;
const READ_MS_PER_REQUEST = 10;
/** Longer reads mostly wait, for the client or for an unavailable service. */
const READ_MS_AT_MOST = 1_000;

/**
 * Returns the maximum body size by the headers. A request that is rejected before its body is read is charged for it,
 * since the body arrives and is discarded.
 */
export function readAnnouncedBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_BYTES_AT_MOST;
  return Number(headers['content-length'] ?? 0);
}

/** Returns the further requests to charge. 0 for usual requests. */
export const countFurtherRequests = ({ bodyBytes, threadMs, readMs }: RequestCost): number =>
  Math.floor(Math.min(bodyBytes, BODY_BYTES_AT_MOST) / BYTES_PER_REQUEST) +
  Math.floor(threadMs / THREAD_MS_PER_REQUEST) +
  Math.floor(Math.min(readMs, READ_MS_AT_MOST) / READ_MS_PER_REQUEST);
