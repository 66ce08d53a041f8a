import type { Connection } from './connection.ts';
import { askedPauseMs, isPassing } from './errors.ts';
import { pause } from './timing.ts';
import type { CallOptions, Event } from './types.ts';

/** An event, and the place behind it in the log. */
export interface PositionedEvent {
  readonly event: Event;
  /** Keep it when the event has been dealt with, and give it as `from`: reading goes on after that event. */
  readonly position: string;
}

export interface IterateOptions {
  /** A kept position. Without one it begins with the first event of the log. */
  readonly from?: string | undefined;
  /** Whether to wait for further events at the end of the log. */
  readonly follow?: boolean | undefined;
  /** How long to wait there. 10 seconds when left out. */
  readonly pollMs?: number | undefined;
  /** 2 to 1000. 100 when left out. */
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Is told of each failure that following the log survives. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

const POLL_MS = 10_000;
const PAGE_SIZE = 100;

interface Place {
  readonly createdAt: string;
  readonly id: string;
}

const positionOf = ({ createdAt, id }: Place): string => `${createdAt}~${id}`;

/** @throws TypeError for a text that is no position */
function placeOf(position: string): Place {
  const [, createdAt, id] = /^([0-9T:.Z+-]{20,40})~([\w-]{1,128})$/.exec(position) ?? [];
  if (createdAt === undefined || id === undefined) throw new TypeError(`not a position of the log: ${position}`);
  return { createdAt, id };
}

export class Events {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Every event of the log, once and in order, by the procedure of the API guide. While it follows the log, it goes on
   * after failures that pass.
   */
  async *iterate(options: IterateOptions = {}): AsyncGenerator<PositionedEvent, void> {
    const { from, follow = false, pollMs = POLL_MS, pageSize = PAGE_SIZE, signal, onFailure } = options;
    if (!Number.isInteger(pageSize) || pageSize < 2) throw new RangeError('a page has 2 events at least');
    if (!(pollMs >= 0)) throw new RangeError('pollMs must be 0 or more');
    let last = from === undefined ? undefined : placeOf(from);
    for (;;) {
      let waitMs = pollMs;
      const page = await this.#page(last, pageSize, { signal }).catch((error: unknown) => {
        if (!follow || !isPassing(error)) throw error;
        onFailure?.(error);
        waitMs = Math.max(pollMs, askedPauseMs(error));
        return [];
      });
      for (const event of page) {
        // The page begins with the last event of the one before.
        if (event.id === last?.id) continue;
        signal?.throwIfAborted();
        last = { createdAt: createdAtOf(event), id: event.id };
        yield { event, position: positionOf(last) };
      }
      if (page.length >= pageSize) continue;
      if (!follow) return;
      await pause(waitMs, signal);
    }
  }

  /** The place behind an event that was read in another way. */
  positionOf(event: Event): string {
    return positionOf({ createdAt: createdAtOf(event), id: event.id });
  }

  #page(last: Place | undefined, pageSize: number, options: CallOptions): Promise<readonly Event[]> {
    const $filter = last && { createdAt: { gte: last.createdAt } };
    const query = { ...($filter && { $filter }), $orderBy: { createdAt: 'asc' as const }, $limit: pageSize };
    return this.#connection.request('listEvents', { ...options, query });
  }
}

function createdAtOf({ createdAt, id }: Event): string {
  // The contract allows null, and no event of the log has it: without a time there is no way on from it.
  if (createdAt === null) throw new TypeError(`the event ${id} has no time`);
  return createdAt;
}
