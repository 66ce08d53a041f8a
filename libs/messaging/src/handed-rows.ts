import { MAX_MESSAGE_BYTES } from './envelope-bodies.ts';
import type { OutboxFloor } from './outbox-floor.ts';
import { MESSAGES_PER_ROUND, type OutboxRow } from './outbox-rows.ts';

/** Rows that this process has committed and not published yet, as many as one round publishes. */
export class CommittedRows {
  #rows: OutboxRow[] = [];
  #bytes = 0;
  #isFull = false;

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  add(rows: readonly OutboxRow[]): void {
    for (const row of rows) {
      this.#isFull ||= this.#rows.length === MESSAGES_PER_ROUND || this.#bytes > MAX_MESSAGE_BYTES;
      if (this.#isFull) return;
      this.#rows.push(row);
      this.#bytes += row.body.length;
    }
  }

  /** Takes the rows that may be published without a read of the outbox. `isAll` is false if a read must find more. */
  take(floor: OutboxFloor): { next: OutboxRow[]; isAll: boolean } {
    const { next, isAll } = floor.selectPublishable(this.#rows);
    const isFull = this.#isFull;
    this.clear();
    return { next, isAll: isAll && !isFull };
  }

  clear(): void {
    this.#rows = [];
    this.#bytes = 0;
    this.#isFull = false;
  }
}
