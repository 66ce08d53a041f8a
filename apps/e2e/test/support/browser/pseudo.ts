import { expect, test } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { inParallel } from '../in-parallel.ts';
import { WINDOWS } from './accessibility.ts';
import type { Stage } from './in-browser.ts';
import { arrived, everyPlace, type Place } from './pages.ts';

const WIDTHS = [1_280, 390];
const LIMIT_MS = 300_000;
/** Names of forms and of a time: no language has other ones. */
const SAME_EVERYWHERE = ['CSV', 'NDJSON', 'JSON', 'PDF', 'UTC'];

const wordsIn = (text: string): string[] => text.match(/[A-Za-z]{2,}/g) ?? [];

/** The words in all texts of a document, but not in names of members. */
function wordsOf(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') for (const word of wordsIn(value)) into.add(word);
  else if (typeof value === 'object' && value) for (const part of Object.values(value)) wordsOf(part, into);
}

/** Texts that are seen or read aloud, in a page of which nothing is awaited any more. */
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

/**
 * Controls and headings whose words do not fit, and controls that lie over each other. What is scrolled out of a list
 * does not count, and neither does what is fixed above the rest.
 */
const CROWDED = `(() => {
  const named = (element) => element.tagName.toLowerCase() + ' "' + element.textContent.trim().slice(0, 60) + '"';
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const places = 'button, a, label, legend, summary, h1, h2, h3, th, dt, [role=columnheader]';
  const faults = [];
  for (const element of document.querySelectorAll(places)) {
    if (!seen(element) || element.clientWidth === 0 || element.closest('.visually-hidden')) continue;
    const over = element.scrollWidth - element.clientWidth;
    if (over > 1) faults.push(named(element) + ' is cut by ' + over + ' px');
  }
  const isAbove = (element) => {
    for (let each = element; each; each = each.parentElement)
      if (['sticky', 'fixed'].includes(getComputedStyle(each).position) || each.popover) return true;
    return false;
  };
  const shownPartOf = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let each = element.parentElement; each; each = each.parentElement) {
      if (getComputedStyle(each).overflow === 'visible') continue;
      const frame = each.getBoundingClientRect();
      left = Math.max(left, frame.left);
      top = Math.max(top, frame.top);
      right = Math.min(right, frame.right);
      bottom = Math.min(bottom, frame.bottom);
    }
    return { element, left, top, right, bottom };
  };
  const controls = [...document.querySelectorAll('button, a[href], input, select, textarea')]
    .filter((element) => seen(element) && !isAbove(element))
    .map(shownPartOf)
    .filter(({ left, top, right, bottom }) => right - left > 1 && bottom - top > 1);
  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (width > 1 && height > 1) faults.push(named(one.element) + ' lies over ' + named(other.element));
    }
  }
  return faults;
})()`;

/** Collects what a page is told by its server: that is no text of pages. */
function listen(page: Page): () => Promise<Set<string>> {
  const reading: Promise<unknown>[] = [];
  const read = async (response: Response): Promise<unknown> => {
    const type = response.headers()['content-type'] ?? 'none';
    return /json/.test(type) ? response.json().catch(() => null) : null;
  };
  page.on('response', (response) => void reading.push(read(response)));
  return async () => {
    const words = new Set([...SAME_EVERYWHERE, ...wordsIn(page.url())]);
    for (const answer of await Promise.all(reading)) wordsOf(answer, words);
    return words;
  };
}

const inPseudo = (url: string): string => {
  const address = new URL(url);
  address.searchParams.set('lang', 'pseudo');
  return address.href;
};

/** The pages in a language that nobody translated: accented, a third longer, and between brackets. */
export function pseudoStories(stage: Stage): void {
  test(
    'nothing is left untranslated, nothing is cut and no control lies over another',
    async () => {
      const found: Record<string, readonly string[]> = {};
      // What comes as a stream is no answer that could be read.
      const activity = await (await stage.console().as('olga')).ok('GET', '/activity');
      const look = async (page: Page, { name, url }: Place): Promise<void> => {
        const told = listen(page);
        await page.goto(inPseudo(url));
        await arrived(page);
        const known = await told();
        wordsOf(activity, known);
        const texts = await page.evaluate<string[]>(TEXTS);
        const untranslated = new Set(texts.filter((text) => wordsIn(text).some((word) => !known.has(word))));
        const faults = [...untranslated].map((text) => `not translated: ${text}`);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          for (const fault of await page.evaluate<string[]>(CROWDED)) faults.push(`${width}: ${fault}`);
        }
        if (faults.length > 0) found[name] = faults;
      };
      const places = (await everyPlace(stage)).filter(({ site }) => site !== 'public');
      const visit = (place: Place) => place.visitors.visit(place.person, {}, (page) => look(page, place));
      await inParallel(places, visit, WINDOWS);
      expect(found).toEqual({});
    },
    LIMIT_MS,
  );
}
