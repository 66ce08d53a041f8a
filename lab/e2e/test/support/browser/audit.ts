import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { BrowserSystem } from './in-browser.ts';

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
export function auditStories(stage: BrowserSystem): void {
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
