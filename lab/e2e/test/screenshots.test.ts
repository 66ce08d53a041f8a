import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from '@saleschannel/local';
import type { Page } from 'playwright-core';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { ensureSampleData, HOLDER, type SampleData } from './support/browser/sample-data.ts';
import { inBrowser, type BrowserSystem } from './support/browser/in-browser.ts';
import { ensureLargeInventory } from './support/browser/large-inventory.ts';
import { waitUntilLoaded } from './support/browser/pages.ts';
import { makeReproducible, freezePage, replaceStream } from './support/browser/reproducible-pages.ts';
import { buyer, issue, operator, retirementBody, seller, runTransfer } from './support/api.ts';

/**
 * Screenshots of pages for the documents. `SALESCHANNEL_SCREENSHOTS=write` writes them, `check` compares them. Other
 * runs ignore them, because fonts differ between machines.
 */
const wish = process.env['SALESCHANNEL_SCREENSHOTS'];

const folder = join(projectRoot, 'docs/integrate/portal');
const BYTES_AT_MOST = 200_000;
/** Fraction of the pixels that may differ. */
const SHARE_AT_MOST = 0.001;
/** Difference in colour up to which a pixel counts as equal. */
const COLOUR_THRESHOLD = 0.1;
/** Long, because the machine may run other suites. */
const LIMIT_MS = 900_000;
const ACTIVITY = '/operator/v1/activity/stream';

interface Picture {
  /** Undefined for a visitor without a session. */
  readonly person: string | undefined;
  readonly path: string;
  readonly isOfConsole?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** Prepares the screenshot. @returns cleanup function */
  prepare?(page: Page): Promise<() => void>;
  /** Interaction with the loaded page. */
  act?(page: Page): Promise<unknown>;
}

interface PictureData extends SampleData {
  /** Trader with 100,000 bundles. */
  readonly large: string;
}

/** Every screenshot of the documents, by name. */
function listPictures(stage: BrowserSystem, data: PictureData): Readonly<Record<string, Picture>> {
  const { large, retirementId, statementId, webhookEndpointId, webhookDeliveryId } = data;
  const atConsole = { person: 'olga', isOfConsole: true } as const;
  return {
    start: { person: 'anna', path: '/' },
    overview: { person: 'anna', path: '/channel' },
    inventory: {
      person: 'anna',
      path: `/channel/inventory?trader=${large}`,
      width: 2_560,
      height: 900,
      // Facilities are shown by id until their names arrive.
      act: (page) =>
        page
          .getByRole('gridcell', { name: /Northern Biochar/ })
          .first()
          .waitFor(),
    },
    retire: {
      person: 'anna',
      path: `/channel/move/retire?trader=${large}&from=oldest&volume=2500`,
      act: fillRetirement,
    },
    transaction: { person: 'anna', path: `/channel/transactions/${retirementId}` },
    delivery: { person: 'anna', path: `/channel/webhooks/${webhookEndpointId}/deliveries/${webhookDeliveryId}` },
    people: { person: 'anna', path: '/channel/people' },
    holdings: { person: HOLDER, path: '/holder' },
    approvals: { person: HOLDER, path: '/holder/approvals', width: 390, height: 844 },
    statement: {
      person: undefined,
      path: `/r/${statementId}`,
      act: (page) => page.locator('#signature').getByText('in your browser').waitFor(),
    },
    register: { person: undefined, path: '/register', width: 390, height: 844 },
    now: { ...atConsole, path: '/', prepare: (page) => streamActivity(stage, page) },
    import: { ...atConsole, path: '/imports', act: sendWithFault },
  };
}

async function fillRetirement(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Nordlys Ferries AS');
  await page.getByLabel('Location', { exact: true }).fill('Bergen, Norway');
  await page.getByLabel('Purpose', { exact: true }).fill('Residual emissions of 2024');
  await page.getByLabel('Country of use', { exact: true }).fill('norw');
  await page.getByRole('option', { name: 'Norway' }).click();
  await page.getByLabel('Period of use, first day', { exact: true }).fill('2024-01-01');
  await page.getByLabel('Period of use, last day', { exact: true }).fill('2024-12-31');
  await page.getByRole('heading', { level: 1 }).click();
  await page.getByText('The plan is being prepared.').waitFor({ state: 'detached' });
}

const toLine = (businessId: string, city: string): string =>
  JSON.stringify({
    type: 'account-holder',
    name: 'Basalt Storage ehf',
    businessId,
    address: { postalCode: '101', city, country: 'Iceland', street1: 'Laugavegur 1' },
  });

/** Sends a file with an invalid second line. */
async function sendWithFault(page: Page): Promise<void> {
  const content = `${toLine('IS-4501', 'Reykjavík')}\n${toLine('IS-4502', 'Akureyri').replace('"Iceland"', '7')}\n`;
  const file = { name: 'holders.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(content) };
  await page.getByLabel('File').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload file' }).click();
  await page.getByLabel('Line 2').waitFor();
}

/** The console's first page changes constantly, so show recorded activity. */
async function streamActivity(stage: BrowserSystem, page: Page): Promise<() => void> {
  const olga = await stage.console().signIn('olga');
  const activity = await olga.ok<object>('GET', '/activity');
  const rates = { ledger: 31.5, tasks: 31.5, events: 31.5 };
  const outboxes = ['identity', 'rbac', 'inventory', 'tasks'].map((service) => ({
    service,
    ageSeconds: service === 'inventory' ? 0.1 : 0,
    refused: 0,
  }));
  return replaceStream(page, ACTIVITY, 'activity', { ...activity, rates, outboxes, waitingTasks: 4 });
}

/** Activity of a sales channel, in addition to the sample data. */
async function live({ system }: BrowserSystem): Promise<void> {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const { range } = await issue(system(), channel, { lastSerial: '5000', issuingDate: '2025-11-03T08:00:00.000Z' });
  const sale = (first: number, last: number) => ({
    buyerId: buyer(channel).id,
    currency: 'EUR',
    assets: [{ ...range(first, last), unitPrice: 148.5 }],
  });
  await runTransfer(client, seller(channel).id, 'trade', sale(1, 1_200));
  await runTransfer(client, seller(channel).id, 'trade', sale(1_201, 1_450));
  await runTransfer(client, seller(channel).id, 'retire', retirementBody([range(1_451, 2_100)]));
}

async function take(stage: BrowserSystem, picture: Picture): Promise<Buffer> {
  const { person, path, isOfConsole = false, width = 1_280, height = 800, prepare, act } = picture;
  const visitors = isOfConsole ? stage.operators() : stage.visitors();
  return visitors.visit(person, { width, height }, async (page) => {
    await makeReproducible(page, isOfConsole ? '/operator/v1/' : '/api/');
    const end = await prepare?.(page);
    try {
      await page.goto(isOfConsole ? stage.consoleUrl(path) : stage.portalUrl(path));
      await waitUntilLoaded(page);
      await act?.(page);
      await waitUntilLoaded(page);
      await freezePage(page);
      return await page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' });
    } finally {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      end?.();
    }
  });
}

/** Fraction of differing pixels. */
function measureDifference(one: Buffer, other: Buffer): number {
  const [before, now] = [PNG.sync.read(one), PNG.sync.read(other)];
  const { width, height } = before;
  if (now.width !== width || now.height !== height) return 1;
  const different = pixelmatch(before.data, now.data, undefined, width, height, { threshold: COLOUR_THRESHOLD });
  return different / (width * height);
}

const written = (): string[] => globSync('*.png', { cwd: folder }).toSorted();

function screenshotStories(stage: BrowserSystem): void {
  test(
    wish === 'check' ? 'pages match the screenshots in the documents' : 'screenshots are written',
    async () => {
      const data = { ...(await ensureSampleData(stage)), large: await ensureLargeInventory(stage.system(), 100_000) };
      await live(stage);
      const pictures = Object.entries(listPictures(stage, data));
      const names = pictures.map(([name]) => `${name}.png`).toSorted();
      mkdirSync(folder, { recursive: true });
      const different: string[] = [];
      for (const [name, picture] of pictures) {
        const file = join(folder, `${name}.png`);
        const screenshot = await take(stage, picture);
        if (wish !== 'check') writeFileSync(file, screenshot);
        const share = measureDifference(readFileSync(file), screenshot);
        if (share > SHARE_AT_MOST) different.push(`${file}: ${(share * 100).toFixed(2)} %`);
      }
      if (wish !== 'check') for (const name of written()) if (!names.includes(name)) rmSync(join(folder, name));
      expect(different).toEqual([]);
      expect(written()).toEqual(names);
    },
    LIMIT_MS,
  );
}

if (wish !== undefined) inBrowser({ screenshots: screenshotStories });

test('screenshots in the documents are small', () => {
  expect(written().filter((name) => statSync(join(folder, name)).size > BYTES_AT_MOST)).toEqual([]);
});
