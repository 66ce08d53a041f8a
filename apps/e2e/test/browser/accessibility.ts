import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from '@saleschannel/local';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { operator, seller, v1, type Transaction } from '../support/world.ts';
import type { Stage } from './support/browser.ts';

const WIDTHS = [1_280, 390];
const THEMES = ['light', 'dark'] as const;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** Every page that the build knows. Tests of the suite may not import pages. */
const knownPaths = (): string[] =>
  JSON.parse(readFileSync(join(projectRoot, 'apps/web/dist/portal/paths.json'), 'utf8')) as string[];

/** Addresses of pages whose paths leave something open. A path that is not here is opened as it is. */
async function examplesOf({ system }: Stage): Promise<Readonly<Record<string, string>>> {
  const [channel] = system().channels;
  const client = system().as(operator(channel));
  const [transaction] = await client.ok<Transaction[]>('GET', `${v1}/transactions`, { query: { $limit: '1' } });
  const trader = seller(channel).id;
  return {
    '/channel/inventory': `/channel/inventory?trader=${trader}`,
    '/channel/transactions/:id': `/channel/transactions/${transaction?.id}`,
    '/search': `/search?q=${trader}`,
  };
}

/** Who has something to see at an address. */
const personOf = (path: string): string => (path.startsWith('/channel') || path === '/search' ? 'anna' : 'holder');

/** Everything has come: what is on its way says so. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(`
    document.querySelector('[aria-busy=true]') === null &&
    ![...document.querySelectorAll('[role=status]')].some(({ textContent }) => textContent === 'Loading')
  `);
}

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Every page, as those with assistive technology meet it. */
export function accessibilityStories(stage: Stage): void {
  test('no page has a violation that axe finds, in light and dark, wide and narrow', async () => {
    const examples = await examplesOf(stage);
    const paths = knownPaths();
    expect(paths.filter((path) => path.includes(':') && !(path in examples))).toEqual([]);
    const found: Record<string, string[]> = {};
    for (const path of paths) {
      await stage.visitors().visit(personOf(path), {}, async (page) => {
        await page.goto(stage.at(examples[path] ?? path));
        await settled(page);
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
  });

  test('no page is wider than a narrow screen', async () => {
    const examples = await examplesOf(stage);
    const wide: string[] = [];
    for (const path of knownPaths()) {
      await stage.visitors().visit(personOf(path), { width: 390 }, async (page) => {
        await page.goto(stage.at(examples[path] ?? path));
        await settled(page);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (overflow > 0) wide.push(`${path}: ${overflow} px`);
      });
    }
    expect(wide).toEqual([]);
  });
}
