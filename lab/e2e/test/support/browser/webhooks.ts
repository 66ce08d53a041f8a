import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { startReceiver } from '../receiver.ts';
import { buyer, inventoryPath, issue, withIdempotencyKey, operator, seller, v1, type Task } from '../api.ts';
import { ensureSampleData } from './sample-data.ts';
import type { BrowserSystem } from './in-browser.ts';

/** A sales channel and its webhooks, from the first endpoint to an undelivered message. */
export function webhookStories(stage: BrowserSystem): void {
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
