import type { Connection } from './connection.ts';
import { retryDelayMs, isTransient } from './errors.ts';
import { pause } from './timing.ts';
import type { CallOptions, Event } from './types.ts';

/** An event with its position in the log. */
export interface PositionedEvent {
  readonly event: Event;
  /** Store it after processing the event. Pass it as `from` to resume after that event. */
  readonly position: string;
}

export interface IterateOptions {
  /** Stored position. Default: start of the log. */
  readonly from?: string | undefined;
  /** Whether to wait for new events at the end of the log. */
  readonly follow?: boolean | undefined;
  /** Polling interval at the end of the log. Default 10 seconds. */
  readonly pollMs?: number | undefined;
  /** 2 to 1000. Default 100. */
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for each transient failure while following the log. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

const POLL_MS = 10_000;
const PAGE_SIZE = 100;

interface LogPosition {
  readonly createdAt: string;
  readonly id: string;
}

const formatPosition = ({ createdAt, id }: LogPosition): string => `${createdAt}~${id}`;

/** @throws TypeError for an invalid position */
function parsePosition(position: string): LogPosition {
  const [, createdAt, id] = /^([0-9T:.Z+-]{20,40})~([\w-]{1,128})$/.exec(position) ?? [];
  if (createdAt === undefined || id === undefined) throw new TypeError(`invalid position: ${position}`);
  return { createdAt, id };
}

export class Events {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * All events of the log, once and in order, by the procedure of the API guide. Following continues after transient
   * failures.
   */
  async *iterate(options: IterateOptions = {}): AsyncGenerator<PositionedEvent, void> {
    const { from, follow = false, pollMs = POLL_MS, pageSize = PAGE_SIZE, signal, onFailure } = options;
    if (!Number.isInteger(pageSize) || pageSize < 2) throw new RangeError('pageSize must be at least 2');
    if (!(pollMs >= 0)) throw new RangeError('pollMs must be 0 or more');
    let last = from === undefined ? undefined : parsePosition(from);
    for (;;) {
      let waitMs = pollMs;
      const page = await this.#page(last, pageSize, { signal }).catch((error: unknown) => {
        if (!follow || !isTransient(error)) throw error;
        onFailure?.(error);
        waitMs = Math.max(pollMs, retryDelayMs(error));
        return [];
      });
      for (const event of page) {
        // Pages overlap by one event.
        if (event.id === last?.id) continue;
        signal?.throwIfAborted();
        last = { createdAt: requireCreatedAt(event), id: event.id };
        yield { event, position: formatPosition(last) };
      }
      if (page.length >= pageSize) continue;
      if (!follow) return;
      await pause(waitMs, signal);
    }
  }

  /** Position of an event that was read by other means. */
  positionOf(event: Event): string {
    return formatPosition({ createdAt: requireCreatedAt(event), id: event.id });
  }

  #page(last: LogPosition | undefined, pageSize: number, options: CallOptions): Promise<readonly Event[]> {
    const $filter = last && { createdAt: { gte: last.createdAt } };
    const query = { ...($filter && { $filter }), $orderBy: { createdAt: 'asc' as const }, $limit: pageSize };
    return this.#connection.request('listEvents', { ...options, query });
  }
}

function requireCreatedAt({ createdAt, id }: Event): string {
  // The contract allows null, but logged events always have a time, which the position needs.
  if (createdAt === null) throw new TypeError(`event ${id} has no createdAt`);
  return createdAt;
}
