import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accountHolderBody, issue, operator, retirementBody, seller, runTransfer } from '../api.ts';
import type { BrowserSystem } from './in-browser.ts';

/** Searches by a part of a name, and their results. */
export function searchStories(stage: BrowserSystem): void {
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
