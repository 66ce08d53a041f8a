import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { suspendInPast } from '../console.ts';
import { readDescriptionList } from './description-list.ts';
import type { BrowserSystem } from './in-browser.ts';

/** Actions of operators on sales channels, and the consequences that the dialogs show. */
export function channelStories(stage: BrowserSystem): void {
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
