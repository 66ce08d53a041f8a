import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import {
  inventoryPath,
  issue,
  withIdempotencyKey,
  operator,
  waitForTransaction,
  retirementBody,
  type Task,
} from '../api.ts';
import { readDescriptionList } from './description-list.ts';
import { readFaults, readFocus } from './forms.ts';
import { ensureSampleData, HOLDER } from './sample-data.ts';
import type { BrowserSystem } from './in-browser.ts';

/** Distance of a dialog's buttons from its corner, and whether all are on one line. */
async function measureButtons(dialog: Locator): Promise<{ right: number; below: number; rows: number }> {
  await dialog.waitFor();
  const frame = await dialog.boundingBox();
  const buttons = await dialog.getByRole('button').all();
  const boxes = await Promise.all(buttons.map((button) => button.boundingBox()));
  const last = boxes.at(-1);
  if (!frame || !last) throw new Error('The dialog has no buttons.');
  return {
    right: Math.round(frame.x + frame.width - last.x - last.width),
    below: Math.round(frame.y + frame.height - last.y - last.height),
    rows: new Set(boxes.map((box) => `${box?.y} ${box?.height}`)).size,
  };
}

/** Baselines of the texts next to a heading, from the top. */
const readBaselines = (page: Page): Promise<number[]> =>
  page.evaluate<number[]>(`[...document.querySelectorAll('main header a, main header button')].map((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    return Math.round(text.getBoundingClientRect().bottom);
  })`);

/** Confirmation dialogs: their content, required input, and buttons. */
export function dialogStories(stage: BrowserSystem): void {
  const system = () => stage.system();

  test('an account holder approves a retirement after seeing all its details', async () => {
    const { traderId, accountHolderId } = await ensureSampleData(stage);
    const [channel] = system().channels;
    const { range } = await issue(system(), { accountHolderId, salesChannelId: channel.salesChannelId });
    const client = system().createClient(operator(channel));
    const path = inventoryPath(traderId, 'retire');
    const beneficiary = { beneficiaryType: 'SUPPLIER', usageType: 'DISCLOSURE' };
    const body = { ...retirementBody([range(1, 13)], 'EUR'), ...beneficiary };
    const { taskId } = await client.ok<Task>('POST', path, { body, headers: withIdempotencyKey() });
    const transactionId = await waitForTransaction(client, `${path}/${taskId}`);
    const expected = {
      Beneficiary: 'Nordlys Ferries AS',
      Location: 'Bergen, Norway',
      Kind: 'supplier',
      Purpose: 'Residual emissions of 2024',
      'Type of use': 'disclosure',
      'Country of use': 'Norway',
      'Period of use': '2024-01-01 to 2024-12-31',
    };
    await stage.visitors().visit(HOLDER, {}, async (page) => {
      await page.goto(stage.portalUrl('/holder/approvals'));
      const name = 'Approve the retirement of 13 t';
      await page.getByRole('button', { name }).click();
      const dialog = page.getByRole('dialog', { name });
      expect(await readDescriptionList(dialog)).toMatchObject(expected);
      await dialog.getByText('Total 13 t, in EUR without a price').waitFor();
      await dialog.getByRole('button', { name }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.goto(stage.portalUrl(`/holder/transactions/${transactionId}`));
      await page.getByText('in EUR without a price').waitFor();
      expect(await readDescriptionList(page.locator('main'))).toMatchObject(expected);
    });
    await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl(`/channel/transactions/${transactionId}`));
      await page.getByText('supplier', { exact: true }).waitFor();
      expect(await readDescriptionList(page.locator('main'))).toMatchObject({ ...expected, Currency: 'EUR' });
    });
  });

  test('an invitation without a role is rejected at the focused group, and a long address is not cut', async () => {
    await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl('/channel/people'));
      await page.getByRole('button', { name: 'Invite user' }).click();
      const dialog = page.getByRole('dialog', { name: 'Invite user' });
      const create = dialog.getByRole('button', { name: 'Create invitation' });
      const group = dialog.getByRole('group', { name: 'Roles' });
      await create.click();
      await group.getByText('Choose at least one.').waitFor();
      const [first] = await group.locator('label').allInnerTexts();
      expect((await readFocus(page)).trim()).toBe(first?.trim());
      await group.getByRole('checkbox').first().check();
      await group.getByText('Choose at least one.').waitFor({ state: 'detached' });
      await dialog.getByLabel('Email address').fill(`${'n'.repeat(60)}@${'example.'.repeat(25)}test`);
      await create.click();
      expect(await readFaults(page)).toEqual({
        'Email address': 'Email address must have at most 254 characters. It has 265.',
      });
    });
  });

  test('assigning roles needs a chosen sales channel and a role', async () => {
    const olga = await stage.console().signIn('olga');
    const { id } = await olga.ok<{ id: string }>('POST', '/users', {
      body: { issuer: system().demo.issuer, subject: `newcomer-${randomUUID()}` },
    });
    await stage.operators().visit('olga', {}, async (page) => {
      await page.goto(stage.consoleUrl(`/users/${id}`));
      await page.getByRole('button', { name: 'Assign roles' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Sales channel').waitFor();
      await dialog.getByRole('button', { name: 'Assign roles' }).click();
      await dialog.getByText('2 fields need correcting').waitFor();
      expect(await readFaults(page)).toEqual({ 'Sales channel': 'Sales channel is required.' });
      expect(await readFocus(page)).toBe('Sales channel');
      await dialog.getByRole('button', { name: 'Roles', exact: true }).click();
      expect(await readFocus(page)).toContain('ROLE_ADMINISTRATOR');
    });
  });

  test('dialogs for an account holder show its id and what is affected', async () => {
    const { accountHolderId } = await ensureSampleData(stage);
    await stage.operators().visit('olga', {}, async (page) => {
      for (const act of ['Make registry', 'Suspend']) {
        await page.goto(stage.consoleUrl(`/holders/${accountHolderId}`));
        await page.getByRole('button', { name: act, exact: true }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('counting').waitFor({ state: 'detached' });
        expect(await readDescriptionList(dialog)).toMatchObject({
          'Account holder': accountHolderId,
          'Users of the account holder': '1',
          'Registry keys': '0',
        });
      }
    });
  });

  test('buttons have the same place in every dialog, and links next to buttons share their baseline', async () => {
    const { accountHolderId } = await ensureSampleData(stage);
    const places = await stage.visitors().visit('anna', {}, async (page) => {
      const dialog = page.getByRole('dialog');
      await page.goto(stage.portalUrl('/channel/webhooks'));
      await page.getByRole('button', { name: 'Create endpoint' }).first().click();
      const ofAct = await measureButtons(dialog);
      await page.goto(stage.portalUrl('/keys'));
      await page.getByRole('button', { name: 'Create API key' }).click();
      const ofForm = await measureButtons(dialog);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page
        .getByRole('button', { name: /^Delete the key/ })
        .first()
        .click();
      return [ofAct, ofForm, await measureButtons(dialog)];
    });
    const [first] = places;
    expect(first).toMatchObject({ rows: 1 });
    expect(places).toEqual([first, first, first]);
    await stage.operators().visit('olga', {}, async (page) => {
      await page.goto(stage.consoleUrl(`/holders/${accountHolderId}`));
      await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
      const baselines = await readBaselines(page);
      expect(baselines.length).toBeGreaterThan(2);
      expect(new Set(baselines).size).toBe(1);
    });
  });
}
