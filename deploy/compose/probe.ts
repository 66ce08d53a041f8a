// Reads and trades continuously and reports failures with their times, while parts of a stack are recreated, scaled or
// replaced. Needs the variables of docs/operate/first-trade.md: API, KEY, REGISTRY_KEY, HOLDER, CHANNEL, SELLER and
// BUYER.
//   node deploy/compose/probe.ts [--seconds 30] [--reads 20] [--trades 4]      (each second)
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    reads: { type: 'string', default: '20' },
    trades: { type: 'string', default: '4' },
  },
});
const [seconds, reads, trades] = [Number(options.seconds), Number(options.reads), Number(options.trades)];

function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}

const api = readVariable('API');
const v1 = `${api}/saleschannel-services/v1`;
const [seller, buyer] = [readVariable('SELLER'), readVariable('BUYER')];
const basic = (key: string): string => `Basic ${Buffer.from(key).toString('base64')}`;

const failures: { request: string; outcome: string; atSeconds: number }[] = [];
const milliseconds: number[] = [];
const startedAt = performance.now();
const ANSWER_MS = 10_000;

/** Returns the body of a response. Undefined after a failure. */
async function send<T>(
  request: string,
  url: string,
  init: RequestInit = {},
  key = readVariable('KEY'),
): Promise<T | undefined> {
  const askedAt = performance.now();
  const failed = (outcome: string): undefined => {
    failures.push({ request, outcome, atSeconds: Math.round((askedAt - startedAt) / 100) / 10 });
  };
  try {
    const headers = { authorization: basic(key), 'content-type': 'application/json', ...init.headers };
    const answer = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(ANSWER_MS) });
    const text = await answer.text();
    if (!answer.ok) return failed(String(answer.status));
    milliseconds.push(performance.now() - askedAt);
    return JSON.parse(text) as T;
  } catch (error) {
    return failed(((error as Error).cause as { code?: string } | undefined)?.code ?? (error as Error).name);
  }
}

/** Issues certificates as separate bundles, so that no trade waits for another. */
async function issue(count: number): Promise<string[]> {
  const issuanceOf = (issuanceId: string): object => ({
    type: 'issuance',
    issuanceId,
    productionFacilityCode: 'FIN001',
    standard: 'PURO',
    registry: 'DEMO',
    methodologyCode: 'C03000000',
    creditType: 'CORC100+',
    vintage: 2025,
    productionStartDate: '2025-01-01T00:00:00.000Z',
    productionEndDate: '2025-06-30T23:59:59.000Z',
    issuingDate: '2025-09-15T08:00:00.000Z',
    firstSerial: '1',
    lastSerial: '1',
    accountHolderId: readVariable('HOLDER'),
    salesChannelId: readVariable('CHANNEL'),
  });
  const ids = new Set(Array.from({ length: count }, () => randomUUID()));
  const body = [...ids].map((id) => `${JSON.stringify(issuanceOf(id))}\n`).join('');
  const imports = `${api}/Registry/api/imports`;
  const key = readVariable('REGISTRY_KEY');
  const started = await send<{ importId: string }>(
    'import',
    imports,
    { method: 'POST', body, headers: { 'content-type': 'application/x-ndjson' } },
    key,
  );
  for (;;) {
    const progress = await send<{ status: string; linesApplied: number }>(
      'import',
      `${imports}/${started?.importId}`,
      {},
      key,
    );
    if (progress?.linesApplied === count) break;
    if (!progress || progress.status === 'FAILED') throw new Error(`The import failed: ${JSON.stringify(progress)}`);
    await delay(200);
  }
  const inventory = (await send<{ start: string }[]>('inventory', `${v1}/traders/${seller}/inventory`)) ?? [];
  return inventory.map(({ start }) => start).filter((start) => [...ids].some((id) => start.includes(id)));
}

const accepted: string[] = [];
const RETRIES = 40;

/** Retries with the same key until a response arrives, as the guide recommends. */
async function trade(start: string): Promise<void> {
  const body = JSON.stringify({
    buyerId: buyer,
    currency: 'EUR',
    assets: [{ start, end: start, unitPrice: 1 }],
  });
  const headers = { 'idempotency-key': randomUUID() };
  for (let attempt = 0; attempt < RETRIES; attempt++) {
    const request = attempt === 0 ? 'trade' : 'trade again';
    const url = `${v1}/traders/${seller}/inventory/trade`;
    const task = await send<{ taskId: string }>(request, url, { method: 'POST', body, headers });
    if (task) return void accepted.push(task.taskId);
    await delay(500);
  }
}

const starts = await issue(seconds * trades);
milliseconds.length = 0;
const underWay = new Set<Promise<unknown>>();
const perform = (work: Promise<unknown>): void => {
  underWay.add(work);
  void work.finally(() => underWay.delete(work));
};
const probeFrom = performance.now();
const reading = setInterval(() => perform(send('read', `${v1}/traders/${buyer}`)), 1_000 / reads);
const trading = setInterval(() => {
  const start = starts.pop();
  if (start !== undefined) perform(trade(start));
}, 1_000 / trades);
await delay(seconds * 1_000);
clearInterval(reading);
clearInterval(trading);
await Promise.all(underWay);
const duration = (performance.now() - probeFrom) / 1_000;

const ends: Record<string, number> = {};
const END_MS = 120_000;
for (const id of accepted) {
  let status = 'PENDING';
  const until = performance.now() + END_MS;
  while (status === 'PENDING' && performance.now() < until) {
    status =
      (await send<{ status: string }>('task', `${v1}/traders/${seller}/inventory/trade/${id}`))?.status ?? status;
    if (status === 'PENDING') await delay(200);
  }
  ends[status] = (ends[status] ?? 0) + 1;
}

const counted: Record<string, number> = {};
for (const { request, outcome } of failures) {
  const name = `${request}: ${outcome}`;
  counted[name] = (counted[name] ?? 0) + 1;
}
const sorted = milliseconds.toSorted((a, b) => a - b);
const quantile = (part: number): number => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
console.log(
  JSON.stringify({
    seconds: Math.round(duration),
    answered: milliseconds.length,
    failed: counted,
    failedFromTo: failures.length > 0 ? [failures[0]?.atSeconds, failures.at(-1)?.atSeconds] : [],
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    tradesAccepted: accepted.length,
    tasks: ends,
  }),
);
