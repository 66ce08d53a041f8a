import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { Client } from '../../src/client.ts';
import { buyer, operator, readTransaction, v1, type Transaction } from '../support/api.ts';
import { inBrowser, type BrowserSystem } from '../support/browser/in-browser.ts';
import { listStories } from '../support/browser/lists.ts';
import { LARGE_BUNDLES, FILL_LIMIT_MS, ensureLargeInventory } from '../support/browser/sample-data.ts';

/** More than the focusable elements of a page. */
const TABS_AT_MOST = 60;

interface Selection {
  readonly start: string;
  readonly end: string;
  readonly volume: number;
}

/** Presses Tab until the target is focused. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < TABS_AT_MOST; step++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${target}.`);
}

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await tabTo(page, button);
  await page.keyboard.press('Enter');
}

async function fillRetirement(page: Page): Promise<void> {
  await page.getByLabel('Location', { exact: true }).fill('Bergen, Norway');
  await page.getByLabel('Purpose', { exact: true }).fill('Residual emissions of 2024');
  await page.getByLabel('Country of use', { exact: true }).fill('norw');
  await page.getByRole('option', { name: 'Norway' }).click();
  await page.getByLabel('Period of use, first day', { exact: true }).fill('2024-01-01');
  await page.getByLabel('Period of use, last day', { exact: true }).fill('2024-12-31');
}

const status = (page: Page, word: string): Promise<void> =>
  page.getByRole('status').filter({ hasText: word }).waitFor();

/** Transfers of certificates, from the list to the ledger. */
function moveStories(stage: BrowserSystem): void {
  let traderId: string;
  let client: Client;

  beforeAll(async () => {
    traderId = await ensureLargeInventory(stage.system(), LARGE_BUNDLES);
    client = stage.system().createClient(operator(stage.system().channels[0]));
  }, FILL_LIMIT_MS);

  const planVolume = async (volume: number): Promise<readonly Selection[]> => {
    const body = { type: 'RETIREMENT', volume, order: 'OLDEST' };
    const path = `${v1}/traders/${traderId}/inventory/plan`;
    return (await client.ok<{ selections: Selection[] }>('POST', path, { body })).selections;
  };
  const listTransactions = async (type: string): Promise<Transaction[]> => {
    const all = await client.ok<Transaction[]>('GET', `${v1}/transactions`, { query: { $limit: '1000' } });
    return all.filter((each) => each.sellerId === traderId && each.type === type);
  };
  const toRanges = (selections: readonly Pick<Selection, 'start' | 'end' | 'volume'>[]) =>
    selections.map(({ start, end, volume }) => ({ start, end, volume }));

  test('250 t are retired, oldest first, by keyboard alone, exactly as planned', async () => {
    const planned = await planVolume(250);
    const transactionId = await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl(`/channel/inventory?trader=${traderId}`));
      await page.getByRole('grid').waitFor();
      await typeInto(page, 'Volume, oldest first, t', '250');
      await press(page, 'Retire');
      await page.getByText('250 t of', { exact: false }).first().waitFor();
      await typeInto(page, 'Name', 'Nordlys Ferries AS');
      await typeInto(page, 'Location', 'Bergen, Norway');
      await typeInto(page, 'Purpose', 'Residual emissions of 2024');
      await typeInto(page, 'Country of use', 'Norway');
      await page.getByRole('option', { name: 'Norway' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      // Valid in either order of day and month.
      await typeInto(page, 'Period of use, first day', '01012024');
      await typeInto(page, 'Period of use, last day', '12122024');
      await press(page, 'Review');
      await page.getByRole('dialog').waitFor();
      await press(page, 'Retire 250 t');
      await status(page, 'completed');
      await tabTo(page, page.getByRole('link', { name: 'Open transaction' }));
      await page.keyboard.press('Enter');
      await page.waitForURL('**/channel/transactions/*');
      await page.getByText('Nordlys Ferries AS').first().waitFor();
      return decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? 'none');
    });
    const { type, status: end, assets } = await readTransaction(client, transactionId);
    expect({ type, end, assets: toRanges(assets) }).toEqual({
      type: 'RETIREMENT',
      end: 'SUCCESS',
      assets: toRanges(planned),
    });
  });

  test('a lost answer, a reload and a second attempt make one retirement', async () => {
    const before = await listTransactions('RETIREMENT');
    await stage.visitors().visit('anna', { provokes: /ERR_FAILED/ }, async (page) => {
      let sent = 0;
      await page.route('**/inventory/retire', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        sent += 1;
        if (sent > 1) return route.continue();
        // The gateway accepts the request, but the browser gets no answer.
        await route.fetch();
        return route.abort();
      });
      await page.goto(stage.portalUrl(`/channel/move/retire?trader=${traderId}&from=oldest&volume=40`));
      await fillRetirement(page);
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Retire 40 t' }).click();
      await page.getByRole('dialog').getByRole('alert').waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Send again' }).dblclick();
      await status(page, 'completed');
      expect(sent).toBeGreaterThan(1);
    });
    expect(await listTransactions('RETIREMENT')).toHaveLength(before.length + 1);
  });

  test('a double click makes one trade', async () => {
    const before = await listTransactions('TRADE');
    const { name } = buyer(stage.system().channels[0]);
    await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl(`/channel/move/trade?trader=${traderId}&from=oldest&volume=30`));
      await page.getByLabel('Buyer').pressSequentially(name.slice(0, 4));
      await page.getByRole('option', { name }).click();
      await page.getByLabel('Unit price').fill('148.50');
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Trade 30 t' }).dblclick();
      await page.getByRole('heading', { name: 'Trade 30 t', level: 2 }).waitFor();
      await status(page, 'completed');
    });
    const after = await listTransactions('TRADE');
    expect(after).toHaveLength(before.length + 1);
  });

  test('a reference finds its transaction, and a used one is rejected at its field', async () => {
    const reference = `PO "${randomUUID()}"`;
    const { name } = buyer(stage.system().channels[0]);
    await stage.visitors().visit('anna', { provokes: /400/ }, async (page) => {
      await page.goto(stage.portalUrl(`/channel/move/trade?trader=${traderId}&from=oldest&volume=20`));
      await page.getByLabel('Buyer').pressSequentially(name.slice(0, 4));
      await page.getByRole('option', { name }).click();
      await page.getByLabel('Unit price').fill('1');
      await page.getByLabel('Reference', { exact: true }).fill(` ${reference} `);
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('dialog').getByText(reference).waitFor();
      await page.getByRole('button', { name: 'Trade 20 t' }).click();
      await status(page, 'completed');

      await page.goto(stage.portalUrl('/channel/transactions'));
      await page.getByLabel('Your reference', { exact: true }).fill(reference);
      await page.locator('[role=grid][aria-rowcount="2"]').getByRole('link').click();
      await page.waitForURL('**/channel/transactions/*');
      await page.getByText(reference).waitFor();

      await page.goto(stage.portalUrl(`/channel/move/retire?trader=${traderId}&from=oldest&volume=10`));
      await fillRetirement(page);
      const field = page.getByLabel('Reference', { exact: true });
      await field.fill(reference);
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Retire 10 t' }).click();
      await page.getByText('is already the reference of another transfer of the sales channel').first().waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    });
  });
}

// Both fill a trader's inventory once. lists.more.test.ts has a larger one.
inBrowser({ 'long lists': listStories(LARGE_BUNDLES), moves: moveStories });
