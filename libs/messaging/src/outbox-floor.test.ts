import { expect, test } from '@jest/globals';
import type { PreparingClient } from '@saleschannel/database';
import * as fc from 'fast-check';
import { CommittedRows } from './relay-rows.ts';
import { OutboxFloor } from './outbox-floor.ts';
import type { OutboxSnapshot } from './outbox-rows.ts';

/**
 * Models the database: transactions take an id at their first write, and end in any order. A row published without a
 * read must never overtake one that is committed and unpublished.
 */
type Action =
  | { readonly kind: 'begin'; readonly isOwn: boolean }
  | { readonly kind: 'end'; readonly which: number; readonly isUndone: boolean }
  | { readonly kind: 'round' }
  | { readonly kind: 'fail'; readonly which: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), isOwn: fc.boolean() }),
  fc.record({ kind: fc.constant('end' as const), which: fc.nat(), isUndone: fc.boolean() }),
  fc.record({ kind: fc.constant('round' as const) }),
  fc.record({ kind: fc.constant('fail' as const), which: fc.nat() }),
);

class Model {
  readonly open = new Map<number, { isOwn: boolean }>();
  readonly rows = new Set<number>();
  readonly published = new Set<number>();
  readonly handed = new CommittedRows();
  readonly floor = new OutboxFloor({ advanceEveryMs: 0, readAllEveryMs: 3_600_000 });
  #last = 0;

  begin(isOwn: boolean): void {
    this.open.set(++this.#last, { isOwn });
  }

  end(which: number, isUndone: boolean): void {
    const id = [...this.open.keys()][which % Math.max(1, this.open.size)];
    const isOwn = id !== undefined && this.open.get(id)?.isOwn === true;
    if (id === undefined) return;
    this.open.delete(id);
    if (isUndone) return;
    this.rows.add(id);
    if (isOwn) this.handed.add([{ id: String(id), type: 'type', body: '' }]);
  }

  async round(): Promise<void> {
    const { next, isAll } = this.handed.take(this.floor);
    for (const { id } of next) this.#publish(Number(id));
    if (isAll) return;
    await this.floor.advanceIfDue({ run: () => Promise.resolve([this.#edge()]) } as unknown as PreparingClient);
    const found = [...this.rows]
      .filter((id) => id > Number(this.floor.value) && !this.published.has(id))
      .toSorted(byId);
    this.floor.recordRead(found.map((id) => ({ id: String(id) })));
    for (const id of found) this.#publish(id);
    expect([...this.rows].filter((id) => !this.published.has(id))).toEqual([]);
  }

  /** The broker did not accept a row after all. */
  fail(which: number): void {
    const id = [...this.published][which % Math.max(1, this.published.size)];
    if (id === undefined) return;
    this.published.delete(id);
    this.floor.recordFailed(String(id));
  }

  #publish(id: number): void {
    const older = [...this.rows].filter((row) => row < id && !this.published.has(row));
    expect({ id, older }).toEqual({ id, older: [] });
    this.published.add(id);
    this.floor.recordPublished(String(id));
  }

  #edge(): OutboxSnapshot {
    const lowest = [...this.rows].filter((id) => id > Number(this.floor.value) && !this.published.has(id));
    return {
      xmin: String(Math.min(this.#last + 1, ...this.open.keys())),
      xmax: String(this.#last + 1),
      lowest: lowest.length > 0 ? String(Math.min(...lowest)) : null,
    };
  }
}

const byId = (one: number, other: number): number => one - other;

test('no unread row overtakes a committed, unpublished one, and reads find all others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
      const model = new Model();
      for (const step of actions) {
        if (step.kind === 'begin') model.begin(step.isOwn);
        else if (step.kind === 'end') model.end(step.which, step.isUndone);
        else if (step.kind === 'fail') model.fail(step.which);
        else await model.round();
      }
    }),
    { numRuns: 500 },
  );
});

test('a row is publishable when all ids before it were taken, in any order', () => {
  const floor = new OutboxFloor();
  for (const id of ['2', '1', '4']) floor.recordPublished(id);
  const rows = ['6', '3', '5', '2'].map((id) => ({ id }));
  expect(floor.selectPublishable(rows)).toEqual({ next: [{ id: '3' }, { id: '5' }, { id: '6' }], isAll: true });
  expect(floor.selectPublishable([{ id: '3' }, { id: '7' }])).toEqual({ next: [{ id: '3' }], isAll: false });
});
