import { performance } from 'node:perf_hooks';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { operator, v1 } from '../api.ts';
import type { BrowserSystem, Stories } from './in-browser.ts';
import { FILL_LIMIT_MS, ensureLargeInventory } from './sample-data.ts';

const TIMES = 5;

/** Repeats a measurement. @returns median in milliseconds */
async function measureMedian(act: (round: number) => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < TIMES; round++) found.push(await act(round));
  return Number(found.toSorted((one, other) => one - other)[Math.floor(TIMES / 2)]);
}

async function measureMs(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

/** Prints a measurement without judging it, because it depends on the machine. */
const printMeasurement = (what: string, value: number, unit: 'ms' | 'MB' | 'rows', budget: number): boolean =>
  process.stderr.write(`measured: ${what}: ${value.toFixed(0)} ${unit} (budget ${budget} ${unit})\n`);

/**
 * Milliseconds until a page shows something, by its own clock and checked in every frame, because a locator polls every
 * half second. Without `act`, from the request for the page.
 * @param shown an expression that runs in the page
 */
async function measureUntilShown(page: Page, shown: string, act?: () => Promise<unknown>): Promise<number> {
  const since = act ? 'performance.now()' : '0';
  const frame = page.evaluate<number>(`new Promise((done) => {
    const since = ${since};
    const look = () => (${shown} ? done(performance.now() - since) : requestAnimationFrame(look));
    look();
  })`);
  await act?.();
  return frame;
}

const ROWS_IN_DOCUMENT = 200;
const MEGABYTE = 1_000_000;
/** Nearly a thousand bundles, the maximum of one transfer. */
const VOLUME_OF_LARGE_PLAN = 480_000;

const grid = (page: Page) => page.getByRole('grid', { name: 'Bundles of' });
const rows = (page: Page) => grid(page).getByRole('row');
/** The whole list, once its length is known. */
const whole = (page: Page, bundles: number) => page.locator(`[role=grid][aria-rowcount="${bundles + 1}"]`);
/** A loaded row. The first row of the document is the header. */
const rowAt = (page: Page, index: number) =>
  grid(page)
    .locator(`[role=row][aria-rowindex="${index + 2}"]`)
    .filter({ hasText: /\d{4}-\d{2}-\d{2}/ });

/** The same as an expression that runs in the page. */
const rowIsShown = (index: number): string =>
  `/\\d{4}-\\d{2}-\\d{2}/.test(document.querySelector('[role=row][aria-rowindex="${index + 2}"]')?.textContent)`;

interface LongInventory {
  readonly traderId: string;
  readonly path: string;
  readonly bundles: number;
  /** Name of the trader. */
  readonly name: string;
}

/** Creates the list of a trader that starts with this number of bundles. */
function longList(stage: BrowserSystem, begun: number): () => LongInventory {
  let long: LongInventory | undefined;
  beforeAll(async () => {
    const traderId = await ensureLargeInventory(stage.system(), begun);
    const client = stage.system().createClient(operator(stage.system().channels[0]));
    const { name } = await client.ok<{ name: string }>('GET', `${v1}/traders/${traderId}`);
    const path = `${v1}/traders/${traderId}/inventory/summary`;
    const { bundles } = await client.ok<{ bundles: number }>('GET', path);
    long = { traderId, path: `/channel/inventory?trader=${traderId}`, bundles, name };
  }, FILL_LIMIT_MS);
  return () => {
    if (!long) throw new Error('The list has not been filled.');
    return long;
  };
}

/** Stories about lists of any length. */
export const listStories =
  (begun: number): Stories =>
  (stage) => {
    const long = longList(stage, begun);

    test('the first and the last row are shown, with never more than 200 rows in the document', async () => {
      const { path, bundles } = long();
      await stage.visitors().visit('anna', {}, async (page) => {
        await page.goto(stage.portalUrl(path));
        await rowAt(page, 0).waitFor();
        await whole(page, bundles).waitFor();
        await rowAt(page, 0).getByRole('gridcell').first().focus();
        await page.keyboard.press('Control+End');
        await rowAt(page, bundles - 1).waitFor();
        expect(await rows(page).count()).toBeLessThanOrEqual(ROWS_IN_DOCUMENT);
        await page.keyboard.press('PageUp');
        await page.keyboard.press('Control+Home');
        await rowAt(page, 0).waitFor();
        expect(await rows(page).count()).toBeLessThanOrEqual(ROWS_IN_DOCUMENT);
      });
    });
  };

/** Measures lists of 100,000 bundles. */
export const listMeasurements: Stories = (stage) => {
  const long = longList(stage, 100_000);

  test('measures the first row, the jump to the end, and memory', async () => {
    const { path, bundles, name } = long();
    await stage.visitors().visit('anna', {}, async (page) => {
      const within = await measureMedian(async () => {
        await page.goto(stage.portalUrl(`/channel/traders?name=${encodeURIComponent(name)}`));
        const link = page.getByRole('row').filter({ hasText: name }).getByRole('link', { name: 'Inventory' });
        await link.waitFor();
        return measureUntilShown(page, rowIsShown(0), () => link.dispatchEvent('click'));
      });
      printMeasurement('the first row of 100,000 bundles, from another page of the portal', within, 'ms', 300);
      const cold = await measureMedian(async () => {
        await page.goto(stage.portalUrl(path), { waitUntil: 'commit' });
        return measureUntilShown(page, rowIsShown(0));
      });
      printMeasurement('the first row of 100,000 bundles, with the load of the portal', cold, 'ms', 1_000);
      const jump = await measureMedian(async () => {
        await page.reload();
        await whole(page, bundles).waitFor();
        await rowAt(page, 0).getByRole('gridcell').first().focus();
        return measureUntilShown(page, rowIsShown(bundles - 1), () => page.keyboard.press('Control+End'));
      });
      printMeasurement('the jump to the last of 100,000 bundles', jump, 'ms', 500);
      const heap = await page.evaluate<number>('performance.memory.usedJSHeapSize');
      printMeasurement('memory of the page with 100,000 bundles', heap / MEGABYTE, 'MB', 100);
    });
  });

  test('measures the plan of 1,000 selections', async () => {
    const { traderId } = long();
    const path = `${v1}/traders/${traderId}/inventory/plan`;
    const body = { type: 'RETIREMENT', volume: VOLUME_OF_LARGE_PLAN, order: 'OLDEST' };
    const client = stage.system().createClient(operator(stage.system().channels[0]));
    const { selections } = await client.ok<{ selections: object[] }>('POST', path, { body });
    await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl('/me'));
      const ask = `fetch('/api${path}', {
        method: 'POST',
        headers: { 'X-Portal': '1', 'Content-Type': 'application/json' },
        body: '${JSON.stringify(body)}',
      }).then((answer) => answer.json()).then(({ selections }) => selections.length)`;
      expect(await page.evaluate(ask)).toBe(selections.length);
      const median = await measureMedian(() => measureMs(() => page.evaluate(ask)));
      printMeasurement(`the plan of ${selections.length} selections`, median, 'ms', 200);
    });
  });
};
