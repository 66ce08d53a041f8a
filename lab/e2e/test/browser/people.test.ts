import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import {
  accountHolderBody,
  issue,
  operator,
  retirementBody,
  seller,
  runTransfer,
  buyer,
  inventoryPath,
  withIdempotencyKey,
  v1,
  type Task,
} from '../support/api.ts';
import { contractStories } from '../support/browser/documentation.ts';
import { inBrowser, type BrowserSystem } from '../support/browser/in-browser.ts';
import { keyStories } from '../support/browser/keys.ts';
import { isolationStories, safetyStories } from '../support/browser/safety.ts';
import { ensureSampleData } from '../support/browser/sample-data.ts';
import { statementStories } from '../support/browser/statements.ts';
import { startReceiver } from '../support/followers.ts';

/** A sales channel and its webhooks, from the first endpoint to an undelivered message. */
function webhookStories(stage: BrowserSystem): void {
  const sell = async (): Promise<void> => {
    const [channel] = stage.system().channels;
    const { range } = await issue(stage.system(), channel);
    const body = { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ ...range(1, 5), unitPrice: 148.5 }] };
    const path = inventoryPath(seller(channel).id, 'trade');
    await stage
      .system()
      .createClient(operator(channel))
      .ok<Task>('POST', path, { body, headers: withIdempotencyKey() });
  };

  test('an endpoint is created and tested, and a rejected message is delivered after a retry', async () => {
    let isMended = false;
    const receiver = await startReceiver(({ type }) => (type === 'TEST' || isMended ? undefined : 'no such order'));
    const name = `Receiver of ${receiver.url}`;
    try {
      await stage.visitors().visit('anna', {}, async (page) => {
        const button = (called: string) => page.getByRole('button', { name: called, exact: true });
        await page.goto(stage.portalUrl('/channel/webhooks'));
        await button('Create endpoint').first().click();
        await page.getByLabel('Endpoint URL', { exact: true }).fill(receiver.url);
        await page.getByLabel('Description', { exact: true }).fill(name);
        await page.getByLabel('Order', { exact: true }).selectOption({ label: 'One at a time, in order' });
        await page.getByRole('dialog').getByRole('button', { name: 'Create endpoint' }).click();
        const secretDialog = page.getByRole('dialog', { name: 'Endpoint secret' });
        const secret = await secretDialog.locator('code').innerText();
        await button('I have copied it').click();
        expect(await page.content()).not.toContain(secret);

        await page.getByRole('link', { name, exact: true }).click();
        await button('Send test message').click();
        await page.getByRole('status').filter({ hasText: 'The receiver accepted the message.' }).waitFor();
        await button('Close').click();

        await sell();
        await page.getByRole('status').filter({ hasText: 'failing, retried automatically' }).waitFor();
        await page
          .getByRole('link', { name: /the delivery of Transaction/ })
          .first()
          .click();
        await page.getByText('no such order').first().waitFor();
        isMended = true;
        // By then the next automatic attempt may have happened.
        await page.getByRole('button', { name: /^(Retry now|Send again)$/ }).click();
        await page.getByRole('status').filter({ hasText: 'delivered' }).waitFor();

        await page.getByRole('link', { name: 'View endpoint' }).click();
        await page.getByRole('status').filter({ hasText: 'healthy' }).waitFor();
        expect(receiver.received.length).toBeGreaterThan(2);
        for (const { headers, body } of receiver.received) {
          expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
        }

        await button('Delete').click();
        await button('Delete endpoint').click();
        await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
        await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
      });
    } finally {
      await receiver.stop();
    }
  });

  test('clearing filters removes their dates, and a deleted endpoint disappears', async () => {
    const client = stage.system().createClient(operator(stage.system().channels[0]));
    const body = { url: 'https://hooks.nordlys.example/gone', description: 'Soon gone' };
    const { id } = await client.ok<{ id: string }>('POST', `${v1}/webhook-endpoints`, { body });
    await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl(`/channel/webhooks/${id}`));
      const from = page.getByLabel('From, UTC', { exact: true });
      await from.pressSequentially('01012099');
      expect(await from.inputValue()).toBe('2099-01-01');
      await page.getByText('No matching deliveries.').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByText('No messages yet.').waitFor();
      expect(await from.inputValue()).toBe('');
      await client.ok('DELETE', `${v1}/webhook-endpoints/${id}`);
      await page.getByRole('button', { name: 'Send test message' }).waitFor({ state: 'detached' });
      await page.getByRole('alert').waitFor();
    });
  });

  test('automatic refreshes do not extend a session', async () => {
    const { waitingId, webhookEndpointId } = await ensureSampleData(stage);
    await stage.visitors().visit('anna', {}, async (page) => {
      const transaction = `/channel/transactions/${waitingId}`;
      expect(await readHeaders(page, stage.portalUrl(transaction), `/transactions/${waitingId}/detail`)).toEqual([
        '1',
        'background',
      ]);
      const endpoint = `/webhook-endpoints/${webhookEndpointId}`;
      expect(await readHeaders(page, stage.portalUrl(`/channel/webhooks/${webhookEndpointId}`), endpoint)).toEqual([
        '1',
        'background',
      ]);
    });
  });
}

/** Headers of the first two requests of a page to a path. */
async function readHeaders(page: Page, url: string, path: string): Promise<(string | undefined)[]> {
  const waitForRequest = () => page.waitForRequest((request) => new URL(request.url()).pathname.endsWith(path));
  const opened = waitForRequest();
  await page.goto(url);
  const first = await opened;
  const second = await waitForRequest();
  return [first, second].map((request) => request.headers()['x-portal']);
}

/** Searches by a part of a name, and their results. */
function searchStories(stage: BrowserSystem): void {
  const search = async (page: Page, path: string, text: string): Promise<void> => {
    await page.goto(path);
    await page.getByRole('searchbox').fill(text);
    await page.getByRole('searchbox').press('Enter');
  };

  /** An account holder with an unanswered application to the first sales channel. */
  async function applied(name: string): Promise<void> {
    const { registry, channels } = stage.system();
    const { accountHolderId } = await registry.ok<{ accountHolderId: string }>(
      'POST',
      '/Registry/api/account-holders',
      { body: accountHolderBody({ name }) },
    );
    const body = { accountHolderId, salesChannelId: channels[0].salesChannelId };
    await registry.ok('POST', '/Registry/api/trader-onboarding-proposals', { body });
  }

  test('an applying account holder is found by its name, and accepted from the result', async () => {
    const name = `Nørthern Olivine ${randomUUID()}`;
    await applied(name);
    await stage.visitors().visit('anna', {}, async (page) => {
      await search(page, stage.portalUrl('/'), name.slice(1).replace('ø', 'o').toUpperCase());
      await page.getByRole('link', { name }).click();
      await page.getByRole('button', { name: `Reject ${name}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: `Reject ${name}` }).click();
      await dialog.waitFor({ state: 'detached' });
    });
  });

  test('an account holder finds a sales channel by its name, and applies to it', async () => {
    const olga = await stage.console().signIn('olga');
    const name = `Bâltic Removals ${randomUUID()}`;
    await olga.ok('POST', '/sales-channels', { body: { name } });
    await stage.visitors().visit('holder', {}, async (page) => {
      await search(page, stage.portalUrl('/'), name.replace('â', 'a').toLowerCase());
      await page.getByRole('link', { name }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: `Apply to ${name}` }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('row').filter({ hasText: name }).getByText('pending').waitFor();
      expect(page.url()).not.toContain('channel=');
    });
  });

  test('a public statement is found by its beneficiary, without script', async () => {
    const { channels } = stage.system();
    const [channel] = channels;
    const { range } = await issue(stage.system(), channel);
    const beneficiaryName = `Ørsta <Shipping> ${randomUUID()}`;
    const body = { ...retirementBody([range(1, 5)]), beneficiaryName, statement: { publication: 'PUBLIC' } };
    await runTransfer(stage.system().createClient(operator(channel)), seller(channel).id, 'retire', body);
    await stage.visitors().visit(undefined, { script: false }, async (page) => {
      await page.goto(stage.portalUrl('/register'));
      const part = beneficiaryName.replace('Ø', 'o').toUpperCase();
      await page.getByLabel('Beneficiary').fill(part);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('cell', { name: beneficiaryName }).waitFor();
      expect(await page.getByRole('row').count()).toBe(2);
      expect(await page.getByLabel('Beneficiary').inputValue()).toBe(part);
      await page.getByLabel('Beneficiary').fill(`${part} <b>none</b>`);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText(`No results for “${part} <b>none</b>”.`).waitFor();
    });
  });

  test('an operator finds account holders and users by a part of their names', async () => {
    const name = `Fjørd Basalt ${randomUUID()}`;
    await applied(name);
    await stage.operators().visit('olga', {}, async (page) => {
      await page.goto(stage.consoleUrl('/holders'));
      await page.getByLabel('Name contains').fill(name.slice(2).replace('ø', 'o').toUpperCase());
      await page.getByRole('link', { name }).waitFor();
      await page.getByRole('grid').and(page.locator('[aria-rowcount="2"]')).waitFor();
      await page.goto(stage.consoleUrl('/users'));
      await page.getByLabel('Name contains').fill('NNA');
      await page.getByRole('link', { name: 'anna', exact: true }).waitFor();
    });
  });
}

const list = (page: Page) => page.getByRole('region', { name: 'Audit events' });
const grid = (page: Page) => page.getByRole('grid', { name: 'Audit trail' });
const rows = (page: Page) =>
  grid(page)
    .getByRole('row')
    .filter({ hasText: /\d{2}:\d{2}:\d{2}/ });
const readTimes = async (page: Page): Promise<string[]> =>
  (await list(page).locator('tbody tr td:first-child').allInnerTexts()).map((text) => text.trim());

/** Runs in the page. */
const measureHiddenWidth = (element: unknown): number => {
  const { scrollWidth, clientWidth } = element as { scrollWidth: number; clientWidth: number };
  return scrollWidth - clientWidth;
};

/** Audit trails for a sales channel and for the operator. */
function auditStories(stage: BrowserSystem): void {
  test('a channel reads the newest events first, reverses the order, and filters by action and person', async () => {
    await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl('/channel/audit'));
      await list(page).waitFor();
      const newest = await readTimes(page);
      expect(newest).toEqual(newest.toSorted().toReversed());
      await page.getByLabel('Order').selectOption('Oldest first');
      await page.waitForURL(/order=asc/);
      await list(page).waitFor();
      const oldest = await readTimes(page);
      expect(oldest).toEqual(oldest.toSorted());
      await page.getByLabel('Action', { exact: true }).selectOption('Role granted');
      await page.waitForURL(/action=rbac\.role\.granted/);
      await list(page).getByTitle('rbac.role.granted').first().waitFor();
      await list(page).getByTitle('rbac.user.bound').waitFor({ state: 'hidden' });
      expect(await page.getByLabel('User', { exact: true }).locator('option').count()).toBeGreaterThan(1);
    });
  });

  test('an operator sees every column at 1280 px, chooses a trail, and filters by a clicked actor', async () => {
    const [channel] = stage.system().channels;
    const olga = await stage.console().signIn('olga');
    await olga.ok('POST', '/sales-channels', { body: { name: 'Trail Removals' } });
    await stage.operators().visit('olga', { width: 1280, height: 900 }, async (page) => {
      await page.goto(stage.consoleUrl('/audit'));
      await rows(page).first().waitFor();
      expect(await grid(page).evaluate(measureHiddenWidth)).toBe(0);
      const show = await rows(page).first().getByRole('button', { name: 'Show' }).boundingBox();
      expect((show?.x ?? Infinity) + (show?.width ?? 0)).toBeLessThanOrEqual(1280);
      const created = rows(page).filter({ hasText: 'Sales channel created' }).first();
      await created.getByRole('button', { name: 'operator olga' }).click();
      await page.waitForURL(/actor=olga/);
      await rows(page).first().getByText('operator olga').waitFor();
      await page.getByLabel('Trail', { exact: true }).selectOption(channel.salesChannelId);
      await page.waitForURL(new RegExp(`scope=${channel.salesChannelId}`));
    });
  });
}

inBrowser({
  'sessions and keys': keyStories,
  safety: safetyStories,
  isolation: isolationStories,
  'audit trails': auditStories,
  statements: statementStories,
  searches: searchStories,
  webhooks: webhookStories,
  contract: contractStories,
});
