import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { pageHeaders } from '../console.ts';
import { buyer, operator, v1 } from '../api.ts';
import { ensureSampleData } from './sample-data.ts';
import type { BrowserSystem } from './in-browser.ts';

/** Chromium's error without a connection. */
const OFFLINE = /ERR_INTERNET_DISCONNECTED/;

interface SentRequest {
  readonly path: string;
  readonly key: string | undefined;
}

/** Collects the changing requests that the page sends from now on. */
function watchChanges(page: Page): readonly SentRequest[] {
  const sent: SentRequest[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const isQuestion = request.method() === 'GET' || pathname.endsWith('/inventory/plan');
    if (isQuestion || pathname.startsWith('/session')) return;
    sent.push({ path: pathname, key: request.headers()['idempotency-key'] });
  });
  return sent;
}

/** Runs in the page. */
const clickTwice = (element: unknown): void => {
  const { click } = element as { click(): void };
  click.call(element);
  click.call(element);
};

async function pressTwice(button: Locator): Promise<void> {
  await button.waitFor();
  await button.evaluate(clickTwice);
}

const ways: readonly (readonly [string, (button: Locator) => Promise<void>])[] = [
  ['two clicks in one tick', pressTwice],
  ['a double click', (button) => button.dblclick()],
];

/** Each form sends its request once, and only on request. */
export function submissionStories(stage: BrowserSystem): void {
  const client = () => stage.system().createClient(operator(stage.system().channels[0]));
  const count = async (path: string): Promise<number> => (await client().ok<unknown[]>('GET', path)).length;

  const openTrade = async (page: Page, volume: string): Promise<void> => {
    const { traderId } = await ensureSampleData(stage);
    const { name } = buyer(stage.system().channels[0]);
    await page.goto(stage.portalUrl(`/channel/move/trade?trader=${traderId}&from=oldest&volume=${volume}`));
    await page.getByLabel('Buyer').pressSequentially(name.slice(0, 4));
    await page.getByRole('option', { name }).click();
    await page.getByLabel('Unit price').fill('148.50');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('dialog').waitFor();
  };

  describe.each(ways)('%s', (_way, press) => {
    test('creates one trader, endpoint, API key and trade, each with its own key', async () => {
      const name = `Twice ${randomUUID()}`;
      const url = `https://hooks.nordlys.example/${randomUUID()}`;
      await ensureSampleData(stage);
      const before = await count(`${v1}/webhook-endpoints`);
      await stage.visitors().visit('anna', {}, async (page) => {
        const button = (label: string) => page.getByRole('dialog').getByRole('button', { name: label, exact: true });
        const sent = watchChanges(page);
        await page.goto(stage.portalUrl('/channel/traders'));
        await page.getByRole('button', { name: 'Create trader' }).click();
        await page.getByLabel('Name', { exact: true }).fill(name);
        await page.getByLabel('Business id', { exact: true }).fill(randomUUID());
        await press(button('Create trader'));
        await page.getByRole('dialog').waitFor({ state: 'detached' });

        await page.goto(stage.portalUrl('/channel/webhooks'));
        await page.getByRole('button', { name: 'Create endpoint' }).first().click();
        await page.getByLabel('Endpoint URL', { exact: true }).fill(url);
        await press(button('Create endpoint'));
        // The secret stays until the user confirms that it is copied.
        await button('I have copied it').click();
        await page.getByText(url).waitFor();
        await page.getByRole('dialog').waitFor({ state: 'detached' });

        await page.goto(stage.portalUrl('/keys'));
        await page.getByRole('button', { name: 'Create API key' }).click();
        await press(button('Create key'));
        await button('I have copied it').click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });

        await openTrade(page, '3');
        await press(button('Trade 3 t'));
        await page.getByRole('link', { name: 'Open transaction' }).waitFor();
        const created = sent.filter(({ path }) => !path.startsWith('/api/account-portal/keys/'));
        expect(created.map(({ path }) => path.split('/').at(-1))).toEqual([
          'traders',
          'webhook-endpoints',
          'api-keys',
          'trade',
        ]);
        expect(new Set(created.map(({ key }) => key)).size).toBe(4);
        for (const { key } of created) expect(key).toMatch(/^[0-9a-f-]{36}$/);
      });
      expect(await count(`${v1}/webhook-endpoints`)).toBe(before + 1);
      const traders = await client().ok<{ name: string }[]>('GET', `${v1}/traders`, { query: { $limit: '1000' } });
      expect(traders.filter((trader) => trader.name === name)).toHaveLength(1);
    });

    test('creates one sales channel', async () => {
      const name = `Twice ${randomUUID()}`;
      await stage.operators().visit('olga', {}, async (page) => {
        const sent = watchChanges(page);
        await page.goto(stage.consoleUrl('/channels'));
        await page.getByRole('button', { name: 'Create sales channel' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name', { exact: true }).fill(name);
        await press(dialog.getByRole('button', { name: 'Create sales channel' }));
        await dialog.waitFor({ state: 'detached' });
        expect(sent).toEqual([{ path: '/operator/v1/sales-channels', key: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
      });
      const olga = await stage.console().signIn('olga');
      const { items } = await olga.ok<{ items: { name: string }[] }>('GET', '/sales-channels');
      expect(items.filter((channel) => channel.name === name)).toHaveLength(1);
    });
  });

  test('a request repeated after a lost answer has the same key, even from another dialog', async () => {
    await stage.visitors().visit('anna', { provokes: /ERR_FAILED/ }, async (page) => {
      const sent = watchChanges(page);
      const answers: number[] = [];
      await page.route('**/webhook-endpoints', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        const response = await route.fetch();
        answers.push(response.status());
        // The first answer is lost.
        return answers.length === 1 ? route.abort() : route.fulfill({ response });
      });
      const url = `https://hooks.nordlys.example/${randomUUID()}`;
      for (const end of ['alert', 'secret']) {
        await page.goto(stage.portalUrl('/channel/webhooks'));
        await page.getByRole('button', { name: 'Create endpoint' }).first().click();
        await page.getByLabel('Endpoint URL', { exact: true }).fill(url);
        await page.getByRole('dialog').getByRole('button', { name: 'Create endpoint' }).click();
        const dialog = page.getByRole('dialog');
        if (end === 'alert') await dialog.getByRole('alert').getByText('No response arrived').waitFor();
        else await dialog.getByRole('button', { name: 'I have copied it' }).click();
      }
      expect(sent).toHaveLength(2);
      expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
      expect(sent[1]?.key).toBe(sent[0]?.key);
    });
  });

  const deletions: readonly (readonly [string, (page: Page, keyId: string) => Promise<void>])[] = [
    [
      'in the list',
      async (page, keyId) => {
        await page.getByRole('button', { name: `Delete the key ${keyId}` }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      },
    ],
    [
      'elsewhere',
      async (page, keyId) => {
        const url = stage.portalUrl(`/api/authentication/api-keys/${keyId}`);
        expect((await page.request.delete(url, { headers: pageHeaders })).ok()).toBe(true);
      },
    ],
  ];
  test.each(deletions)(
    'a key whose answer was lost and that was deleted %s is not shown as created',
    async (_where, remove) => {
      await stage.visitors().visit('anna', { provokes: /ERR_FAILED/ }, async (page) => {
        const created: string[] = [];
        await page.route('**/api-keys', async (route) => {
          const response = await route.fetch();
          created.push(((await response.json()) as { id: string }).id);
          return created.length === 1 ? route.abort() : route.fulfill({ response });
        });
        const create = async (): Promise<void> => {
          await page.getByRole('button', { name: 'Create API key' }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
        };
        await page.goto(stage.portalUrl('/keys'));
        await create();
        await page.getByRole('dialog').getByText('No response arrived').waitFor();
        await page.reload();
        await page.getByRole('button', { name: `Delete the key ${created[0]}` }).waitFor();
        await remove(page, String(created[0]));
        await create();
        const dialog = page.getByRole('dialog', { name: 'Key created' });
        await dialog.waitFor();
        const [id] = await dialog.locator('code').allInnerTexts();
        expect(id).not.toBe(created[0]);
        await dialog.getByRole('button', { name: 'I have copied it' }).click();
        await page.getByRole('button', { name: `Delete the key ${id}` }).waitFor();
      });
    },
  );

  test('offline nothing is sent, now or later, and the page reports it', async () => {
    await ensureSampleData(stage);
    const before = await count(`${v1}/transactions`);
    await stage.visitors().visit('anna', { provokes: OFFLINE }, async (page) => {
      const sent = watchChanges(page);
      await openTrade(page, '4');
      await page.context().setOffline(true);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Trade 4 t' }).click();
      await dialog.getByRole('alert').getByText('Nothing was sent.').waitFor();
      await dialog.getByRole('button', { name: 'Go back' }).click();
      await page.getByText('You are offline. This page may be out of date').waitFor();
      const tried = sent.length;

      // Navigation reports it too, and loads its data when the connection is back.
      await page.getByRole('link', { name: 'Transactions' }).first().click();
      await page.getByRole('alert').getByText('You are offline').first().waitFor();
      await page.context().setOffline(false);
      await page.getByRole('grid').waitFor();
      await page.getByText('You are offline. This page may be out of date').waitFor({ state: 'detached' });
      expect(sent.slice(tried)).toEqual([]);
    });
    expect(await count(`${v1}/transactions`)).toBe(before);

    await stage.visitors().visit('anna', {}, async (page) => {
      await openTrade(page, '4');
      await page.getByRole('dialog').getByRole('button', { name: 'Trade 4 t' }).click();
      await page.getByRole('link', { name: 'Open transaction' }).waitFor();
    });
    expect(await count(`${v1}/transactions`)).toBe(before + 1);
  });
}
