import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from '@saleschannel/local';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { buyer, issue, operator, retirementBody, seller, runTransfer } from './support/api.ts';
import { inBrowser, type BrowserSystem } from './support/browser/in-browser.ts';
import { waitUntilLoaded } from './support/browser/pages.ts';
import { ensureSampleData, HOLDER, type SampleData, ensureLargeInventory } from './support/browser/sample-data.ts';

/** Replaces values that differ between runs in screenshots: times, durations and ids. */

/** Time at which screenshots claim to be taken. */
const TAKEN_AT = Date.parse('2026-03-04T12:19:07.000Z');
/** Time of all events since the start of the system. */
const HAPPENED_AT = Date.parse('2026-03-04T12:04:07.000Z');
const HOUR_MS = 3_600_000;

const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?Z/g;

/** Replaces times during this run or later. Dates of the demonstration stay. */
function stillTime(instant: string): string {
  const ahead = Date.parse(instant) - Date.now();
  if (ahead < -HOUR_MS) return instant;
  return new Date(HAPPENED_AT + Math.round(ahead / HOUR_MS) * HOUR_MS).toISOString();
}

/** Replaces times in an answer of the API. */
function stillAnswer(text: string): string {
  const month = new Date().toISOString().slice(0, 7);
  const then = new Date(HAPPENED_AT).toISOString().slice(0, 7);
  return text
    .replaceAll(INSTANT, stillTime)
    .replaceAll(`"${month}"`, `"${then}"`)
    .replaceAll(/"durationMs":\d+/g, '"durationMs":84');
}

/** Replaces ids in the document, and times on pages that the server renders. */
const stillDocument = (): string => `(() => {
  const still = (text) => text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '5b0c7a52-31f4-4c1e-9d0a-7be2f60ad913')
    .replace(/\\bc[a-z0-9]{24}\\b/g, 'cmws5ihkh6gkaj6mhpgfmsmpj')
    .replace(/(^|[^\\w-])(?=[\\w-]*[\\d_-])(?=[\\w-]*[A-Z])[\\w-]{22}(?![\\w-])/g, '$13q2-7wABz0mV9kQe1xTn4A')
    .replace(/\\d{1,2} \\w+ \\d{4} at \\d{2}:\\d{2} UTC/g, '3 April 2026 at 12:04 UTC')
    .replace(/127\\.0\\.0\\.1:\\d+/g, '127.0.0.1:8090');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = still(node.data);
    if (text !== node.data) node.data = text;
  }
  for (const input of document.querySelectorAll('input, textarea')) {
    const value = still(input.value);
    if (input.type !== 'file' && value !== input.value) input.value = value;
  }
  const moments = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' };
  for (const time of document.querySelectorAll('time[datetime]')) {
    const ahead = Date.parse(time.dateTime) - ${Date.now()};
    if (ahead < -${HOUR_MS}) continue;
    const then = new Date(${HAPPENED_AT} + Math.round(ahead / ${HOUR_MS}) * ${HOUR_MS});
    const day = new Intl.DateTimeFormat('en-GB', moments).format(then);
    time.textContent = / at /.test(time.textContent) ? day + ' at 12:04 UTC' : day;
  }
})()`;

/** Makes a page reproducible from its first request on. @param api path of its operations */
async function makeReproducible(page: Page, api: string): Promise<void> {
  await page.clock.setFixedTime(TAKEN_AT);
  await page.route(`**${api}**`, async (route) => {
    // A request from here lacks the browser's headers for same-origin pages.
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
    const response = await route.fetch({ headers });
    const type = response.headers()['content-type'] ?? 'none';
    if (!type.includes('json')) return route.fulfill({ response });
    return route.fulfill({ response, body: stillAnswer(await response.text()) });
  });
}

/** Makes the rest of the page reproducible, immediately before the screenshot. */
async function freezePage(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.evaluate(stillDocument());
}

/**
 * Replaces a stream with one that sends one event and stays open.
 * @returns function that ends it
 */
async function replaceStream(page: Page, path: string, event: string, data: unknown): Promise<() => void> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: ${event}\ndata: ${stillAnswer(JSON.stringify(data))}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await page.route(`**${path}`, (route) => route.continue({ url: `http://127.0.0.1:${port}/` }));
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

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
