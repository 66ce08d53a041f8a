import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import type { Page } from 'playwright-core';
import { basicAuthorization } from '../../src/client.ts';
import {
  buyer,
  waitForEvent,
  inventoryPath,
  issue,
  withIdempotencyKey,
  operator,
  seller,
  type Task,
} from '../support/api.ts';
import { someAccessibilityStories } from '../support/browser/accessibility.ts';
import { inBrowser, type BrowserSystem, signIn } from '../support/browser/in-browser.ts';
import { somePseudoStories } from '../support/browser/pseudo.ts';
import { ensureSampleData, QUEUE } from '../support/browser/sample-data.ts';

/** `--bad` of the light theme. */
const RED = 'rgb(163, 38, 27)';

const address = { postalCode: '00100', city: 'Helsinki', country: 'FI', street1: 'Katu 1' };
const createLine = (businessId: string): string =>
  JSON.stringify({ type: 'account-holder', name: 'Biochar Oy', businessId, address });

/** Runs in the page. */
const readColour = (element: unknown): string =>
  (globalThis as unknown as { getComputedStyle(of: unknown): { color: string } }).getComputedStyle(element).color;

/** Operators repairing failures in their browser. */
function operatorStories(stage: BrowserSystem): void {
  /** Status of the open import, not of one in the list. */
  const waitForStatus = (page: Page, word: string) =>
    page.getByRole('status').getByText(word, { exact: true }).waitFor();
  const fact = (page: Page, name: string) =>
    page
      .getByRole('status')
      .locator('div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd');

  test('a failed import is corrected at the second attempt', async () => {
    const [good, bad] = [randomUUID(), randomUUID()];
    const isKnown = async (businessId: string): Promise<boolean> => {
      const olga = await stage.console().signIn('olga');
      const { items } = await olga.ok<{ items: object[] }>('GET', `/account-holders?businessId=${businessId}`);
      return items.length > 0;
    };
    await stage.operators().visit('olga', {}, async (page) => {
      await page.goto(stage.consoleUrl('/imports'));
      const content = `${createLine(good)}\n${createLine(bad).replace('"FI"', '"FI')}\n`;
      const file = { name: 'holders.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(content) };
      await page.getByLabel('File').setInputFiles(file);
      await page.getByRole('button', { name: 'Upload file' }).click();
      await waitForStatus(page, 'completed, with failed lines');
      expect([await fact(page, 'Applied').innerText(), await fact(page, 'Failed lines').innerText()]).toEqual([
        '1',
        '1',
      ]);
      expect([await isKnown(good), await isKnown(bad)]).toEqual([true, false]);

      const line = page.getByLabel('Line 2');
      expect(await page.getByRole('button', { name: 'No lines changed yet' }).isDisabled()).toBe(true);
      await line.fill(createLine(bad).replace('"name"', '"nome"'));
      await page.getByRole('button', { name: 'Send 1 line' }).click();
      await page.getByLabel('Line 1').waitFor();
      await waitForStatus(page, 'completed, with failed lines');
      expect([await fact(page, 'Applied').innerText(), await fact(page, 'Failed lines').innerText()]).toEqual([
        '0',
        '1',
      ]);

      await page.getByLabel('Line 1').fill(createLine(bad));
      await page.getByRole('button', { name: 'Send 1 line' }).click();
      await waitForStatus(page, 'completed');
      expect([await fact(page, 'Applied').innerText(), await fact(page, 'Failed lines').innerText()]).toEqual([
        '1',
        '0',
      ]);
      expect(await isKnown(bad)).toBe(true);
    });
  });

  test('a message that the event log rejects is replayed after its cause is removed, and is logged', async () => {
    const system = stage.system();
    const [channel] = system.channels;
    const client = system.createClient(operator(channel));
    const { range } = await issue(system, channel);
    const body = { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ ...range(1, 2), unitPrice: 1 }] };
    await ensureSampleData(stage);
    const poisoned = (page: Page) => page.getByRole('row').filter({ hasText: 'poisoned' });
    const cure = () => system.querySql('events', 'alter table event drop constraint if exists poisoned');
    const isThere = (): Promise<boolean> =>
      eventually(async () => {
        const olga = await stage.console().signIn('olga');
        const { items } = await olga.ok<{ items: { reason: string }[] }>('GET', `/dead-letters/${QUEUE}`);
        return items.some(({ reason }) => reason.includes('poisoned'));
      }, 'the dead letter');
    const replay = async (page: Page): Promise<void> => {
      await page.getByRole('button', { name: 'Replay', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Maximum number of messages').fill('10');
      await dialog.getByRole('button', { name: 'Replay messages' }).click();
      await dialog.getByText(/(was|were) replayed/).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
    };
    await system.querySql('events', 'alter table event add constraint poisoned check (id is null) not valid');
    try {
      const path = inventoryPath(seller(channel).id, 'trade');
      const { taskId } = await client.ok<Task>('POST', path, { body, headers: withIdempotencyKey() });
      await isThere();
      await stage.operators().visit('olga', {}, async (page) => {
        await page.goto(stage.consoleUrl('/dead-letters'));
        await page.getByRole('link', { name: QUEUE }).click();
        await poisoned(page).waitFor();
        // The cause still exists, so the message returns.
        await replay(page);
        await isThere();
        await cure();
        await replay(page);
        await poisoned(page).waitFor({ state: 'detached' });
      });
      const { responsePayload } = await client.ok<Task>('GET', `${path}/${taskId}`);
      expect(await waitForEvent(client, String(responsePayload.id))).toMatchObject({ payload: { status: 'SUCCESS' } });
    } finally {
      await cure();
    }
  });

  test("all sessions of a user end, after a dialog with the user's name and their number", async () => {
    const subject = 'lost-laptop';
    await stage.visitors().visit(undefined, {}, (page) => signIn(page, stage.portalUrl('/'), subject));
    const found = await stage
      .system()
      .querySql<{ id: string }>('identity', 'select id from app_user where subject = $1', [subject]);
    const id = String(found[0]?.id);
    await stage.operators().visit('olga', {}, async (page) => {
      await page.goto(stage.consoleUrl(`/users/${id}`));
      await page.getByRole('button', { name: 'End all sessions' }).click();
      const dialog = page.getByRole('dialog', { name: `End all sessions of ${subject}` });
      await dialog.getByText(`1 session of ${subject} (${id})`).waitFor();
      await dialog.getByLabel('Reason').fill('lost laptop');
      await dialog.getByRole('button', { name: 'End all sessions' }).click();
      await dialog.getByText('1 session was ended.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByText('The user is not signed in.').waitFor();
    });
    const living = await stage
      .system()
      .querySql('identity', 'select from session where subject = $1 and ended_at is null', [subject]);
    expect(living).toEqual([]);
  });

  test('a stopped service turns red without an interaction', async () => {
    const system = stage.system();
    await stage.operators().visit('olga', {}, async (page) => {
      await page.goto(stage.consoleUrl('/'));
      const row = page
        .getByRole('table')
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: 'traders' }) });
      await row.getByText('up', { exact: true }).waitFor();
      await system.stopService('traders');
      try {
        const word = row.getByText('down', { exact: true });
        await word.waitFor();
        expect(await word.evaluate(readColour)).toBe(RED);
        await page.getByRole('status').getByText('Not up: traders (down).').waitFor();
      } finally {
        await system.startService('traders');
      }
      await row.getByText('up', { exact: true }).waitFor();
    });
  });

  test("operations of the console are neither at the gateway nor reachable from the portal's pages", async () => {
    const system = stage.system();
    const { apiKey } = operator(system.channels[0]);
    for (const authorization of [undefined, basicAuthorization(apiKey.id, apiKey.secret)]) {
      for (const path of ['/operator', '/operator/v1', '/operator/v1/health', '/operator/v1/sales-channels']) {
        const headers = { ...(authorization !== undefined && { authorization }) };
        expect([path, (await fetch(`${system.baseUrl}${path}`, { headers })).status]).toEqual([path, 404]);
      }
    }
    await stage
      .visitors()
      .visit('anna', { provokes: /status of 40[34]|connect-src|Content Security Policy/ }, async (page) => {
        // Signed in to both in one browser: cookies are shared by all ports.
        await signIn(page, stage.console().url, 'olga');
        await page.goto(stage.portalUrl('/me'));
        await page.getByRole('heading', { name: 'You', level: 1 }).waitFor();
        const reach = (url: string): Promise<unknown> =>
          page.evaluate(
            `fetch('${url}', { headers: { 'X-Portal': '1' } }).then(({ status }) => status, (error) => error.name)`,
          );
        expect(await reach('/operator/v1/health')).toBe(404);
        expect(await reach('/api/operator/v1/health')).toBe(404);
        expect(await reach(stage.consoleUrl('/operator/v1/health'))).toBe('TypeError');
        // A link to the console is same-site and sends its cookies, and is recognized as such.
        const answering = page.waitForResponse(stage.consoleUrl('/operator/v1/health'));
        await page.evaluate(`location.href = '${stage.consoleUrl('/operator/v1/health')}'`);
        expect((await answering).status()).toBe(403);
      });
  });
}

// One page of each kind. pages.more.test.ts has all.
inBrowser({
  accessibility: someAccessibilityStories,
  'another language': somePseudoStories,
  operators: operatorStories,
});
