import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from '@saleschannel/local';
import type { Page } from 'playwright-core';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { inBrowser, type Stage } from './support/browser/in-browser.ts';
import { examplesOf, personOf, arrived } from './support/browser/pages.ts';
import { issue, operator, retirementBody, seller, transfer } from './support/world.ts';

/**
 * Pictures of the pages for the documents. `npm run screenshots` writes them, `npm run screenshots:check` compares
 * them. Otherwise they are left alone: fonts of
 * another machine look different.
 */
const wish = process.env['SALESCHANNEL_SCREENSHOTS'];

const folder = join(projectRoot, 'docs/portal');
const THEMES = ['light', 'dark'] as const;
const BYTES_AT_MOST = 150_000;
/** Of all pixels of a picture. */
const SHARE_AT_MOST = 0.001;
/** How different a pixel may look and still be the same. */
const COLOUR_THRESHOLD = 0.1;

const pictures: Readonly<Record<string, string>> = {
  start: '/',
  keys: '/keys',
  overview: '/channel',
  inventory: '/channel/inventory',
  retire: '/channel/move/retire',
  transactions: '/channel/transactions',
  transaction: '/channel/transactions/:id',
  traders: '/channel/traders',
};

/** Ids and times are others in each run: in pictures they are the same. */
const STILL = `(() => {
  const still = (text) => text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '5b0c7a52-31f4-4c1e-9d0a-7be2f60ad913')
    .replace(/\\bcm[a-z0-9]{22}\\b/g, 'cmws5ihkh6gkaj6mhpgfmsmpj')
    .replace(/\\d{4}-\\d{2}-\\d{2}/g, '2026-03-04')
    .replace(/\\d{2}:\\d{2}(:\\d{2})?/g, '12:04:07')
    .replace(/127\\.0\\.0\\.1:\\d+/g, '127.0.0.1:8090');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = still(node.data);
    if (text !== node.data) node.data = text;
  }
  for (const input of document.querySelectorAll('input')) input.value = still(input.value);
})()`;

async function take(page: Page): Promise<Buffer> {
  await arrived(page);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.evaluate(STILL);
  return page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' });
}

/** The share of pixels that differ, from 0 to 1. */
function differenceOf(one: Buffer, other: Buffer): number {
  const [before, now] = [PNG.sync.read(one), PNG.sync.read(other)];
  const { width, height } = before;
  if (now.width !== width || now.height !== height) return 1;
  const different = pixelmatch(before.data, now.data, undefined, width, height, { threshold: COLOUR_THRESHOLD });
  return different / (width * height);
}

function screenshotStories(stage: Stage): void {
  test(wish === 'check' ? 'pages look as in the documents' : 'pictures of pages are written', async () => {
    const system = stage.system();
    const [channel] = system.channels;
    const { range } = await issue(system, channel);
    await transfer(system.as(operator(channel)), seller(channel).id, 'retire', retirementBody([range(1, 40)]));
    const examples = await examplesOf(system);
    mkdirSync(folder, { recursive: true });
    const different: string[] = [];
    for (const [name, path] of Object.entries(pictures)) {
      for (const theme of THEMES) {
        const file = join(folder, `${name}-${theme}.png`);
        const picture = await stage.visitors().visit(personOf(path), { theme }, async (page) => {
          await page.goto(stage.at(examples[path] ?? path));
          return take(page);
        });
        if (wish !== 'check') writeFileSync(file, picture);
        else if (differenceOf(readFileSync(file), picture) > SHARE_AT_MOST) different.push(file);
        expect(statSync(file).size).toBeLessThanOrEqual(BYTES_AT_MOST);
      }
    }
    expect(different).toEqual([]);
  });
}

if (wish !== undefined) inBrowser({ screenshots: screenshotStories });

test('pictures in the documents are small', () => {
  const large = globSync('*.png', { cwd: folder }).filter((name) => statSync(join(folder, name)).size > BYTES_AT_MOST);
  expect(large).toEqual([]);
});
