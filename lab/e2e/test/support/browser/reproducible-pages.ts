import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

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
export async function makeReproducible(page: Page, api: string): Promise<void> {
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
export async function freezePage(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.evaluate(stillDocument());
}

/**
 * Replaces a stream with one that sends one event and stays open.
 * @returns function that ends it
 */
export async function replaceStream(page: Page, path: string, event: string, data: unknown): Promise<() => void> {
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
