import { expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { findOverlaps } from './overlaps.ts';
import type { Stories } from './in-browser.ts';
import { waitUntilLoaded, listPages, checkPages, onePerKind, type PageVisit } from './pages.ts';

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
