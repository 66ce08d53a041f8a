import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { completeSignIn, type BrowserSystem } from './in-browser.ts';

const BUILD_LIMIT_MS = 300_000;
/** Long, because the search and Swagger UI with its hundred operations are slow on a busy machine. */
const SHOWN_WITHIN_MS = 60_000;
const builder = new URL('../../../../../apps/docs/build.ts', import.meta.url).pathname;

/** Console errors of a page, such as violations of its content policy, and requests to other hosts. */
function watchTroubles(page: Page): string[] {
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  page.on('pageerror', (error) => void troubles.push(error.message));
  page.on('request', (request) => {
    if (!/^http:\/\/127\.0\.0\.1:|^(data|blob):/.test(request.url())) troubles.push(`asks for ${request.url()}`);
  });
  return troubles;
}

const atGateway =
  (stage: BrowserSystem) =>
  (path: string): string =>
    `${stage.system().baseUrl}${path}`;
const isHere = (troubles: readonly string[]): void => expect(troubles).toEqual([]);

/** The built documentation as the gateway serves it. */
export function documentationStories(stage: BrowserSystem): void {
  const at = atGateway(stage);

  beforeAll(async () => {
    const env = { ...process.env, NODE_ENV: 'production' };
    await promisify(execFile)(process.execPath, [builder], { env, timeout: BUILD_LIMIT_MS });
  }, BUILD_LIMIT_MS);

  test('is readable, and searchable without requests to other hosts', async () => {
    await stage.visitors().visit(undefined, {}, async (page) => {
      const troubles = watchTroubles(page);
      page.setDefaultTimeout(SHOWN_WITHIN_MS);
      await page.goto(at('/docs'));
      await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
      await page.getByRole('link', { name: 'Idempotency', exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Idempotency' }).waitFor();
      await page.getByRole('button', { name: 'Search' }).click();
      await page.locator('dialog input').fill('selection-overlap');
      const found = page.locator('dialog a', { hasText: 'Error codes' }).first();
      await found.click();
      await page.getByRole('heading', { level: 1, name: 'Error codes' }).waitFor();
      isHere(troubles);
    });
  });

  test('former links to the contract lead to it', async () => {
    await stage.visitors().visit(undefined, {}, async (page) => {
      await page.goto(at('/docs#/events/listEvents'));
      await page.waitForURL(at('/docs/api#/events/listEvents'));
    });
  });
}

/** The contract, which needs no build. */
export function contractStories(stage: BrowserSystem): void {
  const at = atGateway(stage);

  test('people sign in at the contract, and try an operation', async () => {
    await stage.visitors().visit(undefined, {}, async (page) => {
      const troubles = watchTroubles(page);
      page.setDefaultTimeout(SHOWN_WITHIN_MS);
      await page.goto(at('/docs/api'));
      await page.locator('.authorize').first().click();
      const [popup] = await Promise.all([
        page.context().waitForEvent('page'),
        page.locator('.modal-ux .btn.authorize').first().click(),
      ]);
      const closed = popup.waitForEvent('close');
      // The provider's pages end with a page of ours that closes itself.
      await Promise.race([closed, completeSignIn(popup, at('/docs/signed-in'), 'anna').catch(() => undefined)]);
      await closed;
      await page.locator('.modal-ux .auth', { hasText: 'Logout' }).first().waitFor();
      await page.locator('.modal-ux .btn-done').first().click();
      await page.locator('#operations-tag-account-portal').click();
      const operation = page.locator('#operations-account-portal-getMe');
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.try-out__btn').click();
      await operation.locator('.execute').click();
      await operation.locator('.live-responses-table', { hasText: '"userId"' }).waitFor();
      isHere(troubles);
    });
  });
}
