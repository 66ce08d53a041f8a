import { expect, jest, test } from '@jest/globals';
import { systemClock } from '@saleschannel/primitives';
import { readPdfText } from '@saleschannel/testing';
import type { Page } from 'playwright-core';
import { issue, operator, retirementBody, seller, runTransfer, v1 } from '../api.ts';
import type { BrowserSystem } from './in-browser.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const WORDS = ['Quillfeather', 'Svolvaer', 'Zeppelin'];

interface Made {
  readonly statementId: string;
  readonly certificate: string;
}

/** Public pages about retirements, and the verification of statements. */
export function statementStories(stage: BrowserSystem): void {
  const retire = async (statement: object): Promise<Made> => {
    const system = stage.system();
    const [channel] = system.channels;
    const client = system.createClient(operator(channel));
    const { at, range } = await issue(system, channel);
    const body = {
      ...retirementBody([range(1, 40)]),
      beneficiaryName: 'Quillfeather Ferries AS',
      beneficiaryLocation: 'Svolvaer, Norway',
      retirementPurpose: 'Flights of a Zeppelin in 2024',
      statement,
    };
    const { responsePayload } = await runTransfer(client, seller(channel).id, 'retire', body);
    const path = `${v1}/transactions/${responsePayload.id}/detail`;
    const detail = await client.ok<{ statement: { id: string } }>('GET', path);
    return { statementId: detail.statement.id, certificate: at(1) };
  };
  const readJson = async ({ statementId }: Made): Promise<string> =>
    (await fetch(stage.portalUrl(`/r/${statementId}.json`))).text();
  const openPage = (path: string, act: (page: Page) => Promise<void>, script = true): Promise<void> =>
    stage.visitors().visit(undefined, { script }, async (page) => {
      await page.goto(stage.portalUrl(path));
      await act(page);
    });
  const oneByteChanged = (text: string): string => text.replace('Quillfeather', 'Quillfeathes');

  test.each([
    ['with script', true],
    ['without script, by the server', false],
  ])('one changed byte makes a pasted statement invalid, %s', async (_how, script) => {
    const text = await readJson(await retire({ publication: 'LINK' }));
    const [jws = 'none'] = (JSON.parse(text) as { signature: string }).signature.split('~');
    const last = jws.at(-3) === 'A' ? 'B' : 'A';
    const changed = [
      oneByteChanged(text),
      text.replace('"volume":40', '"volume":41'),
      text.replace(jws, `${jws.slice(0, -3)}${last}${jws.slice(-2)}`),
    ];
    await openPage(
      '/verify',
      async (page) => {
        for (const [pasted, verdict] of [
          [text, 'Signature valid'],
          ...changed.map((each) => [each, 'Signature invalid.']),
        ]) {
          await page.getByLabel('Statement as JSON').fill(String(pasted));
          await page.getByRole('button', { name: 'Check signature' }).click();
          await page.locator('#result').getByText(String(verdict)).waitFor();
        }
      },
      script,
    );
  });

  test('a page warns if it differs from the signed content, or if its document was changed', async () => {
    const created = await retire({ publication: 'LINK' });
    const path = `/r/${created.statementId}`;
    const signature = (page: Page) => page.locator('#signature');
    await openPage(path, (page) => signature(page).getByText('checked by this server and in your browser').waitFor());
    for (const changed of [path, `${path}.json`]) {
      await stage.visitors().visit(undefined, {}, async (page) => {
        await page.route(stage.portalUrl(changed), async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, body: oneByteChanged(await response.text()) });
        });
        await page.goto(stage.portalUrl(path));
        await signature(page).getByText('Signature invalid.').waitFor();
      });
    }
  });

  test('hidden words appear nowhere a second before an embargo ends, and everywhere after its end', async () => {
    const until = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS);
    const created = await retire({ publication: 'PUBLIC', beneficiaryHiddenUntil: until.toISOString() });
    const { statementId, certificate } = created;
    // In capitals, because the page shows the search text.
    const search = 'beneficiary=QUILLF%C3%89ATHER';
    const pages = [`/r/${statementId}`, '/register', `/verify?id=${certificate}`, `/register?${search}`];
    const documents = [`/r/${statementId}.json`, '/register.csv', `/register.csv?${search}`];
    const readEverything = async (): Promise<Record<string, string>> => {
      const found: Record<string, string> = {};
      for (const path of pages) await openPage(path, async (page) => void (found[path] = await page.content()));
      for (const path of documents) found[path] = await (await fetch(stage.portalUrl(path))).text();
      const pdf = Buffer.from(await (await fetch(stage.portalUrl(`/r/${statementId}.pdf`))).arrayBuffer());
      found['pdf'] = `${await readPdfText(pdf)} ${pdf.toString('latin1')}`;
      return found;
    };
    const clock = jest.spyOn(systemClock, 'now');
    try {
      clock.mockImplementation(() => new Date(until.getTime() - SECOND_MS));
      const before = Object.entries(await readEverything());
      const leaks = before.filter(([, text]) => WORDS.some((word) => decoded(text).includes(word)));
      expect(leaks.map(([path]) => path)).toEqual([]);
      expect(before.flatMap(([path, text]) => (text.includes('Hidden until') ? [path] : []))).toEqual([
        pages[0],
        pages[1],
        'pdf',
      ]);
      clock.mockImplementation(() => until);
      const after = Object.entries(await readEverything());
      const saying = (word: string): string[] => after.flatMap(([path, text]) => (text.includes(word) ? [path] : []));
      const [name = 'none', place = 'none', purpose = 'none'] = WORDS;
      expect(saying(name)).toEqual([pages[0], pages[1], pages[3], ...documents, 'pdf']);
      expect(saying(place)).toEqual([pages[0], pages[1], pages[3], ...documents, 'pdf']);
      expect(saying(purpose)).toEqual(expect.arrayContaining([pages[0], documents[0], 'pdf']));
      await openPage(pages[0] ?? '/', (page) => page.locator('#signature').getByText('in your browser').waitFor());
    } finally {
      clock.mockRestore();
    }
  });
}

/** Also decodes base64url, as in signatures. */
const decoded = (text: string): string =>
  text + (text.match(/[\w-]{20,}/g) ?? []).map((part) => Buffer.from(part, 'base64url').toString()).join(' ');
