import { expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import type { Page } from 'playwright-core';
import { pageHeaders } from '../console.ts';
import { type BrowserSystem, completeSignIn, signIn } from './in-browser.ts';

const DAY_MS = 86_400_000;
/** Longer than the idle timeout of a session. */
const PAUSE_MS = 31 * 60_000;

/** Backdates the sign-ins of a person by an hour. Resolves when the gateway knows it, within two seconds. */
async function ageSignIn(stage: BrowserSystem, page: Page, subject: string): Promise<void> {
  const age = `update session set signed_in_at = signed_in_at - interval '1 hour' where subject = $1`;
  await stage.system().querySql('identity', age, [subject]);
  const refusal = async (): Promise<boolean> => {
    const url = stage.portalUrl('/api/authentication/api-keys/none');
    return (await page.request.delete(url, { headers: pageHeaders })).status() === 401;
  };
  await eventually(refusal, 'the old sign-in');
}

/** Signing in and out, and creating a key for a program. */
export function keyStories(stage: BrowserSystem): void {
  const visit: ReturnType<BrowserSystem['visitors']>['visit'] = (...of) => stage.visitors().visit(...of);

  test('an account holder signs in and creates a registry key, and a program uses it', async () => {
    const key = await visit(undefined, {}, async (page) => {
      await signIn(page, stage.portalUrl('/'), 'holder');
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Keys' }).click();
      await page.getByRole('button', { name: 'Create registry key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      const createdDialog = page.getByRole('dialog', { name: 'Key created' });
      await createdDialog.waitFor();
      const [id, secret] = await createdDialog.locator('code').allInnerTexts();
      const result = { id: String(id), secret: String(secret) };
      await createdDialog.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('button', { name: `Delete the key ${result.id}` }).waitFor();
      expect(await page.content()).not.toContain(result.secret);
      return result;
    });
    const authorization = `Basic ${Buffer.from(`${key.id}:${key.secret}`).toString('base64')}`;
    const url = `${stage.system().baseUrl}/Registry/api/account-holders`;
    expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
  });

  test('a user signs out, and signs in as another user', async () => {
    await visit(undefined, {}, async (page) => {
      await signIn(page, stage.portalUrl('/'), 'anna');
      await page.getByRole('button', { name: 'anna', exact: true }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.locator('button[name=logout]').click();
      await page.waitForURL(stage.portalUrl('/'));
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      expect(await page.context().cookies(stage.portalUrl('/'))).toEqual([]);
      await page.goto(stage.portalUrl('/keys'));
      await page.getByRole('link', { name: 'Sign in' }).click();
      await completeSignIn(page, stage.portalUrl('/'), 'bo');
      await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'bo', exact: true }).waitFor();
    });
  });

  test('a user ends other sessions from the page of their sessions', async () => {
    await visit(undefined, {}, async (forgotten) => {
      await signIn(forgotten, stage.portalUrl('/'), 'twice');
      await visit(undefined, {}, async (page) => {
        await signIn(page, stage.portalUrl('/'), 'twice');
        await page.goto(stage.portalUrl('/me'));
        await page.getByRole('cell', { name: 'This session' }).waitFor();
        await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
        const dialog = page.getByRole('dialog', { name: 'Sign out everywhere else' });
        await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click();
        await dialog.getByText('1 session was ended.').waitFor();
        await dialog.getByRole('button', { name: 'Close' }).click();
        await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' });
        expect(await page.getByRole('row').count()).toBe(2);
      });
      await eventually(async () => {
        await forgotten.goto(stage.portalUrl('/me'));
        const signInLink = forgotten.getByRole('link', { name: 'Sign in' });
        // Gateway, portal and the list of sessions learn of its end one after the other.
        await signInLink
          .or(forgotten.getByRole('region', { name: 'Active sessions' }))
          .or(forgotten.getByRole('button', { name: 'Try again' }))
          .first()
          .waitFor();
        return (await signInLink.count()) > 0;
      }, 'the end of the other session');
    });
  });

  test('the end of a session keeps the page, which continues after a sign-in in another tab', async () => {
    await visit(undefined, {}, async (page) => {
      await signIn(page, stage.portalUrl('/'), 'holder');
      await page.goto(stage.portalUrl('/keys'));
      await page.getByRole('button', { name: 'Create registry key' }).click();
      const field = page.getByLabel('Valid until');
      const day = new Date(Date.now() + 90 * DAY_MS).toISOString().slice(0, 10);
      await field.fill(day);
      stage.setClockAhead(PAUSE_MS);
      try {
        await page.getByRole('button', { name: 'Create key' }).click();
        const endedDialog = page.getByRole('dialog', { name: 'Your session has ended' });
        await endedDialog.waitFor();
        const opening = page.context().waitForEvent('page');
        await endedDialog.getByRole('link', { name: 'Sign in in a new tab' }).click();
        const tab = await opening;
        await completeSignIn(tab, stage.portalUrl('/'), 'holder');
        await tab.getByRole('heading', { name: 'You are signed in' }).waitFor();
        await endedDialog.waitFor({ state: 'detached' });
        expect(await field.inputValue()).toBe(day);
        await page.getByRole('button', { name: 'Create key' }).click();
        await page.getByRole('dialog', { name: 'Key created' }).waitFor();
      } finally {
        stage.setClockAhead(0);
      }
    });
  });

  test('an action with an old sign-in keeps its form, and continues after a sign-in in another tab', async () => {
    await visit(undefined, {}, async (page) => {
      await signIn(page, stage.portalUrl('/'), 'bo');
      await page.goto(stage.portalUrl('/keys'));
      const keys: unknown[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/api-keys'))
          keys.push(request.headers()['idempotency-key']);
      });
      await page.getByRole('button', { name: 'Create API key' }).click();
      const field = page.getByLabel('Name', { exact: true });
      await field.fill('Night run');
      await ageSignIn(stage, page, 'bo');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('A recent sign-in is required').waitFor();
      const opening = page.context().waitForEvent('page');
      await page.getByRole('link', { name: 'Sign in again in a new tab' }).click();
      const tab = await opening;
      await completeSignIn(tab, stage.portalUrl('/'), 'bo');
      await tab.getByRole('heading', { name: 'You are signed in' }).waitFor();
      expect(await field.inputValue()).toBe('Night run');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'Key created' }).waitFor();
      expect(keys).toEqual([keys[0], keys[0]]);
      expect(keys[0]).toEqual(expect.any(String));
    });
  });
}
