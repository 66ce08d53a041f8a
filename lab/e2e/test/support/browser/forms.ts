import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { buyer, issue, withIdempotencyKey, operator, seller, v1, type Transaction } from '../api.ts';
import type { BrowserSystem } from './in-browser.ts';

/** Numbers are grouped with thin spaces. */
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

/** Values of a description list, by name. */
export async function readDescriptionList(place: Locator): Promise<Record<string, string>> {
  const [names, values] = [await place.locator('dt').allInnerTexts(), await place.locator('dd').allInnerTexts()];
  return Object.fromEntries(names.map((name, index) => [name, plain(String(values[index]))]));
}

const DAY_MS = 86_400_000;
const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the invalid fields by name, each with its message. */
export const readFaults = (page: Page): Promise<Record<string, string>> =>
  page.evaluate<Record<string, string>>(`Object.fromEntries(
    [...document.querySelectorAll('form [aria-invalid=true]')].map((control) => [
      control.labels[0].textContent,
      document.getElementById(control.getAttribute('aria-describedby').split(' ')[0]).textContent,
    ]))`);

/** Finds an option of a field by typing a part of its name. */
async function choose(page: Page, label: string, typed: string, name: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(typed);
  await page.getByRole('option', { name, exact: true }).click();
}

/** Returns the label of the focused element. */
export const readFocus = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.labels?.[0]?.textContent');

/** Filling in forms, and their state before and after sending. */
export function formStories(stage: BrowserSystem): void {
  const channel = () => stage.system().channels[0];
  const retirePath = (volume: number) =>
    `/channel/move/retire?trader=${seller(channel()).id}&from=oldest&volume=${volume}`;
  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

  test('a retirement for Denmark is stored as DK, and its Review shows every field with the exact total', async () => {
    await issue(stage.system(), channel());
    const reference = `PO-${randomUUID()}`;
    const hiddenUntil = dayIn(30);
    const expected = {
      'Volume, t': '7',
      'Unit price': '0.11 EUR',
      // Binary floating point would give 0.7700000000000001.
      'Total price': '0.77 EUR',
      Beneficiary: 'Nordlys Ferries AS',
      Location: 'Aarhus, Denmark',
      Kind: 'end consumer',
      Purpose: 'Residual emissions of 2025',
      'Type of use': 'disclosure',
      'Country of use': 'Denmark',
      'Period of use': '2025-01-01 to 2025-12-31',
      Visibility: 'everyone, in the public register',
      'Beneficiary and purpose': `hidden until ${hiddenUntil}`,
      'Your reference': reference,
    };
    await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl(retirePath(7)));
      await field(page, 'Name').fill(expected.Beneficiary);
      await field(page, 'Location').fill(expected.Location);
      await field(page, 'Purpose').fill(expected.Purpose);
      await field(page, 'Type of use').selectOption({ label: 'disclosure' });
      // By keyboard, without knowing the country code.
      await field(page, 'Country of use').focus();
      await page.keyboard.type('enmar');
      await page.getByRole('option', { name: 'Denmark' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await field(page, 'Period of use, first day').fill('2025-01-01');
      await field(page, 'Period of use, last day').fill('2025-12-31');
      await field(page, 'Visibility').selectOption('PUBLIC');
      await field(page, 'Hide beneficiary and purpose until').fill(hiddenUntil);
      await field(page, 'Unit price').fill('0.11');
      await field(page, 'Currency').selectOption('EUR');
      await field(page, 'Reference').fill(reference);
      await page.getByRole('button', { name: 'Review' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      expect(await readDescriptionList(dialog)).toMatchObject(expected);
      const certificates = dialog.getByRole('table');
      expect(await certificates.getByRole('columnheader').allInnerTexts()).toEqual(
        expect.arrayContaining(['Vintage', 'First serial', 'Last serial']),
      );
      expect(await certificates.getByRole('row').count()).toBeGreaterThan(1);
      await dialog.getByRole('button', { name: 'Retire 7 t' }).click();
      await page.getByRole('link', { name: 'Open transaction' }).waitFor();
      expect(await readDescriptionList(page.locator('main'))).toMatchObject(expected);
      await page.getByRole('link', { name: 'Open transaction' }).click();
      await page.getByText('Denmark', { exact: true }).waitFor();
      expect(await readDescriptionList(page.locator('main'))).toMatchObject({ 'Total price': '0.77 EUR' });
    });
    const client = stage.system().createClient(operator(channel()));
    const query = { '$filter[externalReference][eq]': reference };
    const [created] = await client.ok<Transaction[]>('GET', `${v1}/transactions`, { query });
    const detail = await client.ok<{ statement: { id: string } }>('GET', `${v1}/transactions/${created?.id}/detail`);
    const statement = await stage
      .system()
      .createClient('nobody')
      .ok<object>('GET', `/public/v1/statements/${detail.statement.id}`);
    expect(JSON.stringify(statement)).toContain('"consumptionCountryCode":"DK"');
  });

  test('all faults are shown at once at their fields, and the first is focused', async () => {
    await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl(retirePath(3)));
      const review = page.getByRole('button', { name: 'Review' });
      const summary = page.getByRole('alert').filter({ hasText: 'need correcting' });
      await review.click();
      expect(await readFaults(page)).toEqual({
        Location: 'Location is required.',
        Purpose: 'Purpose is required.',
        'Country of use': 'Country of use is required.',
        'Period of use, first day': 'Period of use, first day is required.',
        'Period of use, last day': 'Period of use, last day is required.',
      });
      expect(await readFocus(page)).toBe('Location');
      await summary.getByText('5 fields need correcting').waitFor();
      await summary.getByRole('button', { name: 'Country of use' }).click();
      expect(await readFocus(page)).toBe('Country of use');
      await choose(page, 'Country of use', 'norw', 'Norway');
      await field(page, 'Location').fill('Bergen');
      await field(page, 'Purpose').fill('Residual emissions');
      await field(page, 'Period of use, first day').fill('2025-12-31');
      await field(page, 'Period of use, last day').fill('2025-01-01');
      await summary.waitFor({ state: 'detached' });
      await field(page, 'Hide beneficiary and purpose until').fill(dayIn(-1));
      await field(page, 'Unit price').fill('1,5');
      // Pasted text is not cut.
      await field(page, 'Name').fill('N'.repeat(201));
      await field(page, 'Reference').fill('4711 '.repeat(21));
      await review.click();
      expect(await readFaults(page)).toEqual({
        Name: 'Name must have at most 200 characters. It has 201.',
        Reference: 'Reference must have at most 100 characters. It has 104.',
        'Period of use, last day': 'The last day of the period must not be before its first day, 2025-12-31.',
        'Hide beneficiary and purpose until':
          'The day until which beneficiary and purpose are hidden must be in the future.',
        Currency: 'Choose a currency for the price.',
        'Unit price': 'The price must be a number such as 148.50, with at most six decimal places.',
      });
      // A fault below one of two adjacent fields neither moves nor stretches the other.
      const [first, last] = await Promise.all(
        ['first', 'last'].map((which) => field(page, `Period of use, ${which} day`).boundingBox()),
      );
      expect([first?.y, first?.height]).toEqual([last?.y, last?.height]);
      await field(page, 'Name').fill('Nordlys Ferries AS');
      await field(page, 'Reference').fill('');
      await field(page, 'Hide beneficiary and purpose until').fill(dayIn(400));
      await field(page, 'Period of use, last day').fill('2025-12-31');
      await field(page, 'Unit price').fill('');
      await review.click();
      expect(Object.keys(await readFaults(page))).toEqual(['Hide beneficiary and purpose until']);
      await field(page, 'Hide beneficiary and purpose until').fill(dayIn(300));
      await review.click();
      await page.getByRole('dialog').getByText('Norway').waitFor();
    });
  });

  test('a trade needs a buyer from the list, marks optional fields, and shows its total', async () => {
    await issue(stage.system(), channel());
    const { name } = buyer(channel());
    await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl(`/channel/move/trade?trader=${seller(channel()).id}&from=oldest&volume=30`));
      await field(page, 'Buyer').fill('Nobody of this name');
      await page.keyboard.press('Tab');
      await page.getByRole('button', { name: 'Review' }).click();
      expect(Object.keys(await readFaults(page))).toEqual(['Buyer', 'Unit price']);
      expect(await page.locator('form').getByText('optional', { exact: true }).count()).toBe(1);
      await field(page, 'Buyer').fill(name.slice(0, 4));
      await page.getByRole('option', { name }).click();
      await field(page, 'Unit price').fill('148.50');
      await page.locator('section[aria-busy]').getByText('4\u202f455.00 EUR').waitFor();
      await page.getByRole('button', { name: 'Review' }).click();
      expect(await readDescriptionList(page.getByRole('dialog'))).toMatchObject({
        Buyer: name,
        'Unit price': '148.50 EUR',
        'Total price': '4 455.00 EUR',
      });
    });
  });

  test("a trader's country is chosen by name, and an unknown name is kept", async () => {
    const client = stage.system().createClient(operator(channel()));
    const businessId = randomUUID();
    const body = { name: `Countries ${businessId}`, businessId, address: { countryName: 'Kingdom of Norway' } };
    const { id } = await client.ok<{ id: string }>('POST', `${v1}/traders`, {
      body,
      headers: withIdempotencyKey(),
    });
    const readCountry = async () =>
      (await client.ok<{ address: { countryName?: string } }>('GET', `${v1}/traders/${id}`)).address.countryName;
    await stage.visitors().visit('anna', {}, async (page) => {
      await page.goto(stage.portalUrl(`/channel/traders?name=${encodeURIComponent(body.name)}`));
      const edit = async (change: (country: Locator) => Promise<unknown>): Promise<void> => {
        await page.getByRole('button', { name: `Edit ${body.name}` }).click();
        await change(field(page, 'Country'));
        await field(page, 'City').fill(randomUUID());
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      await edit(async (country) => expect(await country.inputValue()).toBe('Kingdom of Norway'));
      expect(await readCountry()).toBe('Kingdom of Norway');
      await edit(() => choose(page, 'Country', 'cote d', 'Côte d’Ivoire'));
      expect(await readCountry()).toBe('Côte d’Ivoire');
      await edit((country) => country.fill(''));
      expect(await readCountry()).toBeFalsy();
    });
  });

  test.each([1_280, 390])('at %p pixels the layout does not shift while the user is loaded', async (width) => {
    await stage.visitors().visit('anna', { width }, async (page) => {
      let answer = (): void => undefined;
      const requested = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/account-portal/me', async (route) => {
        await requested;
        return route.continue();
      });
      await page.goto(stage.portalUrl('/channel/transactions'));
      const parts = [
        page.getByRole('searchbox'),
        page.getByRole('navigation', { name: 'Pages' }),
        page.getByRole('heading', { level: 1 }),
      ];
      // Next to the page the navigation is as high as the page, which grows with its rows.
      const isAbove = width < 1_000;
      const measurePosition = async (part: Locator) => {
        const { height, ...place } = (await part.boundingBox()) ?? { height: 0 };
        return isAbove ? { ...place, height } : place;
      };
      const places = () => Promise.all(parts.map(measurePosition));
      const before = await places();
      answer();
      await page.getByRole('link', { name: 'Webhooks' }).waitFor();
      expect(await places()).toEqual(before);
    });
  });

  test('an invalid header counts as a failed line, and the file is uploaded without reading it first', async () => {
    await stage.operators().visit('olga', {}, async (page) => {
      await page.addInitScript("Request.prototype.clone = () => { throw new Error('the file is read') }");
      await page.goto(stage.consoleUrl('/imports'));
      const file = { name: 'holders.csv', mimeType: 'text/csv', buffer: Buffer.from('nonsense,header\n1,2\n') };
      await page.getByLabel('File').setInputFiles(file);
      await page.getByRole('button', { name: 'Upload file' }).click();
      await page.getByRole('heading', { name: 'Failed lines' }).waitFor();
      expect((await readDescriptionList(page.locator('main')))['Failed lines']).toBe('1');
    });
  });
}
