import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { operator, v1 } from '../world.ts';
import type { Stage } from './in-browser.ts';
import { FILL_LIMIT_MS, largeInventory } from './large-inventory.ts';
import { medianOf, msUntilShown, tell } from './measure.ts';

const ROWS_IN_DOCUMENT = 200;
const MEGABYTE = 1_000_000;

const grid = (page: Page) => page.getByRole('grid', { name: 'Bundles of' });
const rows = (page: Page) => grid(page).getByRole('row');
/** The whole list, whose length is known. */
const whole = (page: Page, bundles: number) => page.locator(`[role=grid][aria-rowcount="${bundles + 1}"]`);
/** A row whose cells have come. The first one of the document is the head. */
const rowAt = (page: Page, index: number) =>
  grid(page)
    .locator(`[role=row][aria-rowindex="${index + 2}"]`)
    .filter({ hasText: /\d{4}-\d{2}-\d{2}/ });

/** The same for a page that looks by itself. */
const rowIsShown = (index: number): string =>
  `/\\d{4}-\\d{2}-\\d{2}/.test(document.querySelector('[role=row][aria-rowindex="${index + 2}"]')?.textContent)`;

/** Lists of any length. */
export function listStories(stage: Stage): void {
  let path: string;
  let bundles: number;
  let name: string;

  beforeAll(async () => {
    const traderId = await largeInventory(stage.system());
    path = `/channel/inventory?trader=${traderId}`;
    const client = stage.system().as(operator(stage.system().channels[0]));
    ({ name } = await client.ok<{ name: string }>('GET', `${v1}/traders/${traderId}`));
    ({ bundles } = await client.ok<{ bundles: number }>('GET', `${v1}/traders/${traderId}/inventory/summary`));
  }, FILL_LIMIT_MS);

  test('100,000 bundles: the first row and the last, and never more than 200 rows in the document', async () => {
    await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.at(path));
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

  test('it is measured: the first row, the jump to the end, memory', async () => {
    await stage.visitors().visit('anna', {}, async (page) => {
      const within = await medianOf(async () => {
        await page.goto(stage.at(`/channel/traders?name=${encodeURIComponent(name)}`));
        const link = page.getByRole('row').filter({ hasText: name }).getByRole('link', { name: 'Inventory' });
        await link.waitFor();
        return msUntilShown(page, rowIsShown(0), () => link.dispatchEvent('click'));
      });
      tell('the first row of 100,000 bundles, from another page of the portal', within, 'ms', 300);
      const cold = await medianOf(async () => {
        await page.goto(stage.at(path), { waitUntil: 'commit' });
        return msUntilShown(page, rowIsShown(0));
      });
      tell('the first row of 100,000 bundles, with the load of the portal', cold, 'ms', 1_000);
      const jump = await medianOf(async () => {
        await page.reload();
        await whole(page, bundles).waitFor();
        await rowAt(page, 0).getByRole('gridcell').first().focus();
        return msUntilShown(page, rowIsShown(bundles - 1), () => page.keyboard.press('Control+End'));
      });
      tell('the jump to the last of 100,000 bundles', jump, 'ms', 500);
      const heap = await page.evaluate<number>('performance.memory.usedJSHeapSize');
      tell('memory of the page with 100,000 bundles', heap / MEGABYTE, 'MB', 100);
    });
  });
}
