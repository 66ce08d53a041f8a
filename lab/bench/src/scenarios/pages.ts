import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@saleschannel/local';
import { Pool } from 'undici';
import { basicAuthorization, createMarket, type Market } from '../load/markets.ts';
import { Follower } from '../load/seller.ts';
import { fillLists, longLists, type LongList } from '../load/long-lists.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { median, percentile } from '../measure/statistics.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';
import { UNLIMITED } from './settle.ts';

const SHORT = 10_000;
const ISSUANCES_TO_TRADE = 4_096;
const ROWS_PER_PAGE = 100;
/** Position of a deep page, as a fraction of the list. */
const DEEP = 0.9;
const PAGES_PER_ROUND = 30;
const PAGES_TO_WARM_UP = 5;
const EVENTS_PER_SECOND = 1_000;
const FOLLOW_PAUSE_MS = 10;

const places = ['first', 'deep'] as const;
type Place = (typeof places)[number];

/** An installation whose lists have this number of rows. */
interface Installation {
  readonly stack: Stack;
  readonly market: Market;
  readonly pool: Pool;
  readonly rows: number;
}

export const pages: Scenario = {
  name: 'pages',
  describe: `a page of each list, HTTP answer p50: with --rows rows ÷ with ${SHORT}, two alternating systems`,
  run: (bench) =>
    withLists(bench, SHORT, (short) =>
      withLists(bench, bench.options.rows, async (long) => [
        ...(await compare(bench, short, long)),
        ...(await follow(bench, short)),
      ]),
    ),
};

const withLists = <T>(
  bench: ScenarioContext,
  rows: number,
  work: (installation: Installation) => Promise<T>,
): Promise<T> =>
  bench.withStack({ variables: UNLIMITED, notAudited: 'rows without the history that made them' }, async (stack) => {
    const market = await createMarket(stack, ISSUANCES_TO_TRADE);
    bench.log(`creating ${rows} rows in each list`);
    await fillLists(stack, market, rows);
    const pool = new Pool(stack.baseUrl, { connections: 2, pipelining: 1, bodyTimeout: 0 });
    try {
      return await work({ stack, market, pool, rows });
    } finally {
      await pool.close();
    }
  });

async function compare({ options, log }: ScenarioContext, short: Installation, long: Installation): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const list of longLists) {
    for (const place of places) {
      const [ofShort, ofLong] = [await resolvePath(short, list, place), await resolvePath(long, list, place)];
      const rounds: { readonly short: number; readonly long: number }[] = [];
      for (let round = 0; round <= options.rounds; round++) {
        const count = round === 0 ? PAGES_TO_WARM_UP : PAGES_PER_ROUND;
        const times: { short: number[]; long: number[] } = { short: [], long: [] };
        for (let page = 0; page < count; page++) {
          times.short.push(await measurePage(short, list, ofShort));
          times.long.push(await measurePage(long, list, ofLong));
        }
        if (round > 0) rounds.push({ short: median(times.short), long: median(times.long) });
      }
      const name = `${list.name}, ${place} page`;
      const atMost = list.name === 'events' ? 1.1 : 1.2;
      const figure = createFigures(rounds);
      figures.push(
        figure(`${name}, ÷`, '', (each) => each.long / each.short, { atMost }),
        figure(name, 'ms', (each) => each.long),
      );
      log(`${name}: ${rounds.map((each) => `${each.long.toFixed(1)} ÷ ${each.short.toFixed(1)}`).join(', ')} ms`);
    }
  }
  return figures;
}

const buildHeaders = ({ market }: Installation, { api }: LongList): Record<string, string> => ({
  authorization: basicAuthorization(api === 'channel' ? market.credentials : market.registry.credentials),
});

const limitParameter = ({ api, name }: LongList): string =>
  `${api === 'channel' && name !== 'audit events' ? '$limit' : 'limit'}=${ROWS_PER_PAGE}`;

/** Path of the page that begins at a position. */
async function resolvePath(installation: Installation, list: LongList, place: Place): Promise<string> {
  const first = `${list.path(installation.market)}?${limitParameter(list)}`;
  if (place === 'first') return first;
  // Imports and other lists in descending order begin with the newest row, so their deep pages have small numbers.
  const row = Math.floor(installation.rows * (list.name === 'imports' ? 1 - DEEP : DEEP));
  if ('query' in list.deep) return `${first}&${list.deep.query(row)}`;
  const cursor = cursorAt(await readCursor(installation, list, first), list.deep.key(row));
  return `${first}&${list.api === 'channel' ? '$after' : 'after'}=${cursor}`;
}

/** Cursor of the first page: channels return it in a link, registries in the body. */
async function readCursor({ pool, ...rest }: Installation, list: LongList, path: string): Promise<string> {
  const headers = buildHeaders({ pool, ...rest }, list);
  const answer = await pool.request({ method: 'GET', path, headers });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}: ${text}`);
  const cursor =
    list.api === 'channel'
      ? /[?&](?:%24|\$)after=([\w-]+)/.exec(String(answer.headers['link']))?.[1]
      : (JSON.parse(text) as { pagination: { next?: string | null } }).pagination.next;
  if (!cursor) throw new Error(`${path} has no next page.`);
  return cursor;
}

/** The same list's cursor with the values of another row, because walking ten million rows would take too long. */
function cursorAt(cursor: string, key: readonly string[]): string {
  const [version, fingerprint] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, string];
  return Buffer.from(JSON.stringify([version, fingerprint, ...key])).toString('base64url');
}

/** Milliseconds until the whole page was read. */
async function measurePage(installation: Installation, list: LongList, path: string): Promise<number> {
  const started = performance.now();
  const headers = buildHeaders(installation, list);
  const answer = await installation.pool.request({ method: 'GET', path, headers });
  const text = await answer.body.text();
  const ms = performance.now() - started;
  if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}: ${text}`);
  const parsed = JSON.parse(text) as unknown[] | { data: unknown[] };
  const rows = Array.isArray(parsed) ? parsed : parsed.data;
  if (rows.length !== ROWS_PER_PAGE) throw new Error(`${path} has ${rows.length} rows.`);
  return ms;
}

/** Lag of a follower behind the log at a thousand events per second. */
async function follow({ options, log }: ScenarioContext, { stack, market, pool }: Installation): Promise<Figure[]> {
  const headers = { authorization: basicAuthorization(market.credentials) };
  const lags: number[][] = [];
  for (let round = 1; round <= options.rounds; round++) {
    const seen: number[] = [];
    const follower = new Follower(pool, headers, (createdAt) => seen.push(Date.now() - Date.parse(createdAt)));
    await follower.catchUp();
    seen.length = 0;
    let isOver = false;
    const following = (async () => {
      while (!isOver) if (!(await follower.poll())) await delay(FOLLOW_PAUSE_MS);
    })();
    await runOpenLoop(stack, market, { perSecond: EVENTS_PER_SECOND, seconds: options.seconds });
    isOver = true;
    await following;
    lags.push(seen);
    log(`lag of a follower p50/p99: ${percentile(seen, 0.5).toFixed(0)}/${percentile(seen, 0.99).toFixed(0)} ms`);
  }
  const figure = createFigures(lags);
  return [
    figure(`lag of a follower p50 at ${EVENTS_PER_SECOND} events/s`, 'ms', median, { atMost: 100 }),
    figure(`lag of a follower p99 at ${EVENTS_PER_SECOND} events/s`, 'ms', (seen) => percentile(seen, 0.99)),
  ];
}
