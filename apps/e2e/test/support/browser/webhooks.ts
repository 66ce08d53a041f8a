import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { buyer, inventoryPath, issue, keyed, operator, seller, type Task } from '../world.ts';
import type { Stage } from './in-browser.ts';
import { startReceiver } from './receiver.ts';

/** What a sales channel does with its webhooks, from the first address to a message that did not arrive. */
export function webhookStories(stage: Stage): void {
  const sell = async (): Promise<void> => {
    const [channel] = stage.system().channels;
    const { range } = await issue(stage.system(), channel);
    const body = { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ ...range(1, 5), unitPrice: 148.5 }] };
    const path = inventoryPath(seller(channel).id, 'trade');
    await stage.system().as(operator(channel)).ok<Task>('POST', path, { body, headers: keyed() });
  };

  test('an endpoint is made and tested, and what it refused of a trade arrives when it is sent again', async () => {
    let isMended = false;
    const receiver = await startReceiver(({ type }) => (type === 'TEST' || isMended ? undefined : 'no such order'));
    const name = `Receiver of ${receiver.url}`;
    try {
      await stage.visitors().visit('anna', {}, async (page) => {
        const button = (called: string) => page.getByRole('button', { name: called, exact: true });
        await page.goto(stage.at('/channel/webhooks'));
        await button('Create an endpoint').first().click();
        await page.getByLabel('Address (URL)', { exact: true }).fill(receiver.url);
        await page.getByLabel('Description', { exact: true }).fill(name);
        await page.getByLabel('Order', { exact: true }).selectOption({ label: 'One after the other' });
        await button('Create the endpoint').click();
        const made = page.getByRole('dialog', { name: 'The secret of the endpoint' });
        const secret = await made.locator('code').innerText();
        await button('I have copied it').click();
        expect(await page.content()).not.toContain(secret);

        await page.getByRole('link', { name, exact: true }).click();
        await button('Send a test message').click();
        await page.getByRole('status').filter({ hasText: 'The receiver has taken it.' }).waitFor();
        await button('Close').click();

        await sell();
        await page.getByRole('status').filter({ hasText: 'fails, and is tried again' }).waitFor();
        await page
          .getByRole('link', { name: /the delivery of Transaction/ })
          .first()
          .click();
        await page.getByText('no such order').first().waitFor();
        isMended = true;
        // By then the next attempt may have been made by itself.
        await page.getByRole('button', { name: /^(Try again now|Send once more)$/ }).click();
        await page.getByRole('status').filter({ hasText: 'delivered' }).waitFor();

        await page.getByRole('link', { name: 'To the endpoint' }).click();
        await page.getByRole('status').filter({ hasText: 'works' }).waitFor();
        expect(receiver.received.length).toBeGreaterThan(2);
        for (const { headers, body } of receiver.received) {
          expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
        }

        await button('Delete').click();
        await button('Delete it').click();
        await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
        await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
      });
    } finally {
      await receiver.stop();
    }
  });
}
