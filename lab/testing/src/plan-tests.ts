import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager, ListPart, PageRequest, Schema } from '@saleschannel/database';
import {
  createTestDatabase,
  execute,
  openTestDatabase,
  toOwnerUrl,
  toRuntimeUrl,
  type TestDatabase,
} from './database.ts';
import { isMore } from './jest.ts';
import { openPlans, planModes, type Plans } from './plans.ts';

/** Reads a page of a list as the service does, with its total if it has one. */
type List = (em: EntityManager, page: PageRequest) => Promise<ListPart<object>>;

interface PlanTests {
  readonly schema: Schema;
  /**
   * Statements that fill the tables with tens of thousands of rows per list. They run without triggers and foreign
   * keys.
   */
  readonly fill: string;
  /** Lists by the names that the tests show. */
  readonly lists: Readonly<Record<string, List>>;
  /** Other reads that must cost no more than a page. */
  readonly others?: Readonly<Record<string, (em: EntityManager) => Promise<unknown>>>;
}

const ROWS_OF_A_PAGE = 20;
/** A list of several parts reads the end of a page from each, and rows of other tables per row. */
const ROWS_VISITED_AT_MOST = 30 * ROWS_OF_A_PAGE;
/** About four per row found by an index. */
const PAGES_VISITED_AT_MOST = 60 * ROWS_OF_A_PAGE;

/**
 * Tests that lists read little more than they show, whatever their length and filters: through an index from the start
 * of the page, with no full table scan and no sort of more than a page.
 */
export function planTests({ schema, fill, lists, others = {} }: PlanTests): void {
  let created: TestDatabase;
  let plans: Plans;
  beforeAll(async () => {
    created = await createTestDatabase();
    const database = await openTestDatabase({ url: toOwnerUrl(created.url), poolMax: 2, ...schema });
    await database.migrate().finally(() => database.stop());
    // Statistics cover every row, so that plans do not depend on the sample.
    const statistics = ['set default_statistics_target = 1000', 'vacuum analyze'];
    await execute(created.url, 'set session_replication_role = replica', fill, ...statistics);
    plans = await openPlans(toRuntimeUrl(created.url));
  });
  afterAll(async () => {
    await plans.close();
    await created.drop();
  });

  async function expectBoundedWork(read: (em: EntityManager) => Promise<unknown>): Promise<void> {
    for (const mode of planModes) {
      const work = await plans.measureRead(mode, read);
      const isBounded = work.rows <= ROWS_VISITED_AT_MOST && work.pages <= PAGES_VISITED_AT_MOST;
      expect({ mode, ...work, isBounded }).toEqual({ mode, ...work, isBounded: true, fullScans: [] });
    }
  }

  describe.each(Object.entries(lists))('%s', (_name, list) => {
    test('the first page reads little more than its rows', () =>
      expectBoundedWork((em) => list(em, { limit: ROWS_OF_A_PAGE })));

    // Finding these pages reads the whole list.
    if (!isMore) return;
    test('a middle page and the last page read little more than their rows', async () => {
      const rows = (await list(plans.em, { limit: 1_000_000 })).rows.length;
      for (const before of [Math.floor(rows / 2), rows - 1].filter((count) => count > 0)) {
        const { next } = await list(plans.em, { limit: 1, offset: before - 1 });
        await expectBoundedWork((em) => list(em, { limit: ROWS_OF_A_PAGE, after: next }));
      }
    });
  });

  for (const [name, read] of Object.entries(others)) test(name, () => expectBoundedWork(read));
}
