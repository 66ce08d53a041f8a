import { expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Stage } from './in-browser.ts';
import { examplesOf, knownPaths, personOf, arrived } from './pages.ts';

const WIDTHS = [1_280, 390];
/** Each of them is looked at four times. */
const ALL_PAGES_MS = 600_000;
const THEMES = ['light', 'dark'] as const;

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

/** Every page, as those with assistive technology meet it. */
export function accessibilityStories(stage: Stage): void {
  test(
    'no page has a violation that axe finds, in light and dark, wide and narrow',
    async () => {
      const examples = await examplesOf(stage.system());
      const paths = knownPaths();
      expect(paths.filter((path) => path.includes(':') && !(path in examples))).toEqual([]);
      const found: Record<string, string[]> = {};
      for (const path of paths) {
        await stage.visitors().visit(personOf(path), {}, async (page) => {
          await page.goto(stage.at(examples[path] ?? path));
          await arrived(page);
          await page.evaluate(axe.source);
          for (const width of WIDTHS) {
            for (const colorScheme of THEMES) {
              await page.setViewportSize({ width, height: 800 });
              await page.emulateMedia({ colorScheme });
              const violations = await violationsOf(page);
              if (violations.length > 0) found[`${path}, ${width}, ${colorScheme}`] = violations;
            }
          }
        });
      }
      expect(found).toEqual({});
    },
    ALL_PAGES_MS,
  );

  test('no page is wider than a narrow screen', async () => {
    const examples = await examplesOf(stage.system());
    const wide: string[] = [];
    for (const path of knownPaths()) {
      await stage.visitors().visit(personOf(path), { width: 390 }, async (page) => {
        await page.goto(stage.at(examples[path] ?? path));
        await arrived(page);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (overflow > 0) wide.push(`${path}: ${overflow} px`);
      });
    }
    expect(wide).toEqual([]);
  });
}
