import { expect, test } from '@jest/globals';
import { roles } from '@saleschannel/auth';
import type { Page, Response } from 'playwright-core';
import { findOverlaps } from './accessibility.ts';
import type { Stories } from './in-browser.ts';
import { waitUntilLoaded, listPages, checkPages, onePerKind, type PageVisit } from './pages.ts';

const WIDTHS = [1_280, 390];
const LIMIT_MS = 600_000;
const wordsIn = (text: string): string[] => text.match(/[A-Za-z]{2,}/g) ?? [];

/** Untranslated words: formats, time zones, headers and roles. */
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const SAME_EVERYWHERE = ['CSV', 'NDJSON', 'JSON', 'PDF', 'UTC', ...[...HEADERS, ...roles].flatMap(wordsIn)];

/** Words of a member's name as displayed: `registeredOn` becomes `Registered on`. */
const wordsInName = (name: string): string[] =>
  name.split(/(?=[A-Z])/).flatMap((word) => [word.toLowerCase(), word.charAt(0).toUpperCase() + word.slice(1)]);

/** Whether all words of a text are known. In shortened texts, parts of words count as known. */
const isData = (text: string, known: ReadonlySet<string>): boolean =>
  wordsIn(text).every(
    (word) => known.has(word) || (text.includes('…') && [...known].some((each) => each.includes(word))),
  );

/** Members whose own members are displayed by name, because their names are not fixed. */
const OPEN = ['facts', 'before', 'after', 'metadata'];

/** Collects the words in all texts of a document, `true` and `false`, and in the names of members that are data. */
function collectWords(value: unknown, into: Set<string>, isOpen = false): void {
  if (typeof value === 'string' || typeof value === 'boolean')
    for (const word of wordsIn(String(value))) into.add(word);
  if (typeof value !== 'object' || !value) return;
  for (const [name, part] of Object.entries(value)) {
    if (isOpen) for (const word of [...wordsIn(name), ...wordsInName(name)]) into.add(word);
    collectWords(part, into, isOpen || OPEN.includes(name));
  }
}

const documentsIn = (text: string): unknown[] => {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
  }
};

/** Visible and announced texts of a loaded page. */
const TEXTS = `(() => {
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (data.trim() !== '' && seen(parentElement)) texts.push(data.trim());
  }
  for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
    for (const element of document.querySelectorAll('[' + name + ']'))
      if (seen(element)) texts.push(element.getAttribute(name));
  return texts;
})()`;

/** Collects data that a page gets from its server, which is not text of the page. */
function listen(page: Page): { end(): Promise<Set<string>> } {
  const reading: Promise<unknown[]>[] = [];
  const read = async (response: Response): Promise<unknown[]> => {
    const type = response.headers()['content-type'] ?? 'none';
    // Ignore answers to a page that was left.
    return type.includes('json') ? documentsIn(await response.text().catch(() => '[]')) : [];
  };
  const onResponse = (response: Response): void => void reading.push(read(response));
  page.on('response', onResponse);
  return {
    async end() {
      page.off('response', onResponse);
      const words = new Set([...SAME_EVERYWHERE, ...wordsIn(page.url())]);
      for (const answer of await Promise.all(reading)) for (const each of answer) collectWords(each, words);
      return words;
    },
  };
}

const inPseudo = (url: string): string => {
  const address = new URL(url);
  address.searchParams.set('lang', 'pseudo');
  return address.href;
};

async function findFaults(page: Page, url: string, further: unknown): Promise<string[]> {
  const listening = listen(page);
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.goto(inPseudo(url));
  await waitUntilLoaded(page);
  const texts = await page.evaluate<string[]>(TEXTS);
  const known = await listening.end();
  collectWords(further, known);
  const untranslated = new Set(texts.filter((text) => !isData(text, known)));
  const faults = [...untranslated].map((text) => `not translated: ${text}`);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const fault of await findOverlaps(page)) faults.push(`${width}: ${fault}`);
  }
  return faults;
}

/** Pages in a pseudo-language: accented, a third longer, and in brackets. */
const createPseudoStories =
  (choose: (places: readonly PageVisit[]) => readonly PageVisit[]): Stories =>
  (stage) =>
    test(
      'all texts are translated, nothing is cut and no controls overlap',
      async () => {
        // A stream has no complete answer to read.
        const activity = await (await stage.console().signIn('olga')).ok('GET', '/activity');
        const places = choose((await listPages(stage)).filter(({ site }) => site !== 'public'));
        expect(await checkPages(places, (page, { url }) => findFaults(page, url, activity))).toEqual({});
      },
      LIMIT_MS,
    );

export const pseudoStories = createPseudoStories((places) => places);
export const somePseudoStories = createPseudoStories(onePerKind);
