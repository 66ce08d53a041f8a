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
} from '../support/api.ts';
import { formStories, readFaults, readFocus, readDescriptionList } from '../support/browser/forms.ts';
import { inBrowser, type BrowserSystem } from '../support/browser/in-browser.ts';
import { ensureSampleData, HOLDER } from '../support/browser/sample-data.ts';
import { submissionStories } from '../support/browser/submissions.ts';
import { suspendInPast } from '../support/console.ts';

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
function dialogStories(stage: BrowserSystem): void {
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

/** Actions of operators on sales channels, and the consequences that the dialogs show. */
function channelStories(stage: BrowserSystem): void {
  /** Opens the dialog of an action, and waits for its counts. */
  async function openDialog(page: Page, act: string, id: string): Promise<Locator> {
    await page.goto(stage.consoleUrl(`/channels?name=${id}`));
    await page.getByRole('button', { name: new RegExp(`^${act} `) }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(id, { exact: true }).waitFor();
    await dialog.getByText('counting').waitFor({ state: 'detached' });
    return dialog;
  }

  /** Creates a sales channel with one user. */
  async function newChannel(): Promise<{ id: string; name: string }> {
    const olga = await stage.console().signIn('olga');
    const name = `Baltic ${randomUUID()}`;
    const { id } = await olga.ok<{ id: string }>('POST', '/sales-channels', { body: { name } });
    await stage.system().newUser({ ...stage.system().channels[0], salesChannelId: id }, ['TRADER_VIEWER']);
    return { id, name };
  }

  test('the dialog to suspend a sales channel shows its id and what is affected', async () => {
    const { salesChannelId } = stage.system().channels[0];
    await stage.operators().visit('olga', {}, async (page) => {
      const facts = await readDescriptionList(await openDialog(page, 'Suspend', salesChannelId));
      const { Users: users, 'Listed certificate bundles': listed } = facts;
      for (const count of [users, listed]) expect(count).toMatch(/^[1-9]\d*$/);
      expect(facts).toMatchObject({ 'Open tasks': expect.any(String), 'Open transactions': expect.any(String) });
    });
  });

  test('the dialog to rename a sales channel shows what is affected, and rejects a used name', async () => {
    const { id, name } = await newChannel();
    const other = await newChannel();
    await stage.operators().visit('olga', {}, async (page) => {
      const dialog = await openDialog(page, 'Rename', id);
      expect(await readDescriptionList(dialog)).toMatchObject({ Users: '1', 'Listed certificate bundles': '0' });
      const named = dialog.getByLabel('Name', { exact: true });
      expect(await named.inputValue()).toBe(name);
      await named.fill(other.name.toUpperCase());
      await dialog.getByLabel('Reason', { exact: true }).fill('new brand');
      const rename = dialog.getByRole('button', { name: 'Rename', exact: true });
      await rename.click();
      await dialog.getByText('is the name of another sales channel').waitFor();
      await named.fill(`${name} AS`);
      await rename.click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText(`${name} AS`, { exact: true }).waitFor();
    });
  });

  test('the dialog to close a sales channel shows what is affected, and why it must wait', async () => {
    const { id, name } = await newChannel();
    const olga = await stage.console().signIn('olga');
    await olga.ok('POST', `/sales-channels/${id}/suspend`, { body: { reason: 'contract ended' } });
    await stage.operators().visit('olga', {}, async (page) => {
      expect(await readDescriptionList(await openDialog(page, 'Resume', id))).toMatchObject({
        'Sales channel': id,
        Users: '1',
      });
      const dialog = await openDialog(page, 'Close', id);
      await dialog.getByText('This cannot be undone.').waitFor();
      expect(await readDescriptionList(dialog)).toMatchObject({
        Users: '1',
        'Open invitations': '0',
        'Open tasks': '0',
      });
      await dialog.getByLabel('Reason', { exact: true }).fill('contract ended');
      const close = dialog.getByRole('button', { name: 'Close', exact: true });
      await close.click();
      await dialog.getByText(/was suspended just now. Retry after/).waitFor();
      await suspendInPast(stage.system(), olga, id);
      await close.click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText(/^closed, .*contract ended$/).waitFor();
      expect(await page.getByRole('button', { name: new RegExp(` ${name}$`) }).count()).toBe(0);
    });
  });
}

inBrowser({
  submissions: submissionStories,
  forms: formStories,
  dialogs: dialogStories,
  channels: channelStories,
});
