import { expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Stories } from './in-browser.ts';
import { waitUntilLoaded, listPages, checkPages, onePerKind, type PageVisit } from './pages.ts';

const PLACES = 'button, a, label, legend, summary, h1, h2, h3, th, dt';
/** Headers are as wide as their columns, which is too narrow in some languages. */
const HEADS_OF_COLUMNS = '[role=columnheader]';

/**
 * Finds controls and headings with clipped text, and overlapping controls. Rows scrolled out of view and elements fixed
 * above the page do not count.
 */
const overlapScript = (places: string): string => `(() => {
  const named = (element) => element.tagName.toLowerCase() + ' "' + element.textContent.trim().slice(0, 60) + '"';
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const faults = [];
  for (const element of document.querySelectorAll('${places}')) {
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

/** Clipped and overlapping elements of a page. @param withHeads includes column headers of long lists */
export const findOverlaps = (page: Page, { withHeads = false } = {}): Promise<string[]> =>
  page.evaluate<string[]>(overlapScript(withHeads ? `${PLACES}, ${HEADS_OF_COLUMNS}` : PLACES));

const WIDTHS = [1_280, 390];
const LIMIT_MS = 600_000;
/** Only colours differ in the dark theme. */
const RULES = { light: undefined, dark: ['cat.color'] } as const;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

async function findViolations(page: Page, rules: readonly string[] | undefined): Promise<string[]> {
  // Report violations only: details of passed rules would take most of the time.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const violations = await page.evaluate<Violation[]>(`axe.run(${options}).then(({ violations }) => violations)`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Width of the page beyond its window. Lists may be wider, because they scroll. */
const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

async function findFaults(page: Page, url: string): Promise<string[]> {
  const faults: string[] = [];
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(url);
  await waitUntilLoaded(page);
  await page.evaluate(axe.source);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await measureOverflow(page);
    if (overflow > 0) faults.push(`${width}: ${overflow} px are outside the window`);
    for (const fault of await findOverlaps(page, { withHeads: true })) faults.push(`${width}: ${fault}`);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      for (const violation of await findViolations(page, RULES[theme])) faults.push(`${width}, ${theme}: ${violation}`);
    }
  }
  return faults;
}

/** Pages for users of assistive technology and of narrow screens. */
const createAccessibilityStories =
  (choose: (places: readonly PageVisit[]) => readonly PageVisit[]): Stories =>
  (stage) =>
    test(
      'no page has axe violations, overflow or overlaps, in both themes and widths',
      async () => {
        const places = choose(await listPages(stage));
        expect(await checkPages(places, (page, { url }) => findFaults(page, url))).toEqual({});
      },
      LIMIT_MS,
    );

export const accessibilityStories = createAccessibilityStories((places) => places);
export const someAccessibilityStories = createAccessibilityStories(onePerKind);
