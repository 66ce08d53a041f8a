import { expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { inParallel } from '../in-parallel.ts';
import type { Stage } from './in-browser.ts';
import { arrived, everyPlace } from './pages.ts';

const WIDTHS = [1_280, 390];
const THEMES = ['light', 'dark'] as const;
const LIMIT_MS = 300_000;
/** Windows that are open at the same time. More do not make two processors faster. */
export const WINDOWS = 3;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** By how much a page is wider than its window. Its lists may be: they scroll by themselves. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

/** Every page, as those with assistive technology and those with a narrow screen meet it. */
export function accessibilityStories(stage: Stage): void {
  test(
    'no page has a violation that axe finds, and none is too wide: in light and dark, wide and narrow',
    async () => {
      const found: Record<string, readonly string[]> = {};
      const look = async (page: Page, name: string): Promise<void> => {
        await page.evaluate(axe.source);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          const overflow = await overflowOf(page);
          if (overflow > 0) found[`${name}, ${width}`] = [`${overflow} px are beside the window`];
          for (const colorScheme of THEMES) {
            await page.emulateMedia({ colorScheme });
            const violations = await violationsOf(page);
            if (violations.length > 0) found[`${name}, ${width}, ${colorScheme}`] = violations;
          }
        }
      };
      await inParallel(
        await everyPlace(stage),
        ({ name, url, visitors, person, provokes }) =>
          visitors.visit(person, { ...(provokes && { provokes }) }, async (page) => {
            await page.goto(url);
            await arrived(page);
            await look(page, name);
          }),
        WINDOWS,
      );
      expect(found).toEqual({});
    },
    LIMIT_MS,
  );
}
