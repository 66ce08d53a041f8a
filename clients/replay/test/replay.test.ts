import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { replay, type Report } from '../src/index.ts';
import { formatReport } from '../src/report.ts';
import { startStack, type TestStack } from './support/stack.ts';

const SAMPLE = join(import.meta.dirname, '../sample/sample.csv');
const HEADER = 'registry,kind,batch,start,end,quantity,date,vintage,project,country,beneficiary,purpose';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replay-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function writeRows(...rows: string[]): Promise<string> {
  const path = join(folder, `${files++}.csv`);
  await writeFile(path, `${[HEADER, ...rows].join('\n')}\n`);
  return path;
}

/** Parts of a report that are the same in every run. */
const lasting = ({
  elapsedMs: _time,
  rangesPerSecond: _rate,
  tasks: { new: _new, replayed: _replayed, ...tasks },
  ...rest
}: Report): unknown => ({ ...rest, tasks });
const run = (stack: TestStack, file: string): Promise<Report> => replay({ file, demo: stack.demo });

test('the sample is applied completely, and a second replay finds everything done', async () => {
  await using stack = await startStack();
  const first = await run(stack, SAMPLE);
  expect(first.problems).toEqual([]);
  expect(first).toMatchObject({
    ok: true,
    reasons: [],
    rows: { read: 12, applied: 12, bad: 0, failed: 0 },
    ranges: { issuance: 3, retirement: 9, cancellation: 2 },
    facilities: 4,
    issuances: 5,
    certificates: { issued: '1772', retired: '282', offramped: '59', traded: '381' },
    ledger: { retired: '282', offramped: '59', listable: '1431', disagreements: [] },
  });
  expect(first.tasks).toMatchObject({ retirement: { SUCCESS: 9 }, offramp: { SUCCESS: 2 }, new: 18, replayed: 0 });
  const transactions = stack.ledger.transactions.length;

  const second = await run(stack, SAMPLE);
  expect(lasting(second)).toEqual(lasting(first));
  expect(second.tasks).toMatchObject({ new: 0, replayed: 18 });
  expect(stack.ledger.transactions).toHaveLength(transactions);
  expect(formatReport(second)).toContain('Every row is applied and all totals agree.');
});

test('serials keep their zeros, and names keep their script', async () => {
  await using stack = await startStack();
  await run(stack, SAMPLE);
  const starts = stack.ledger.transactions.flatMap(({ assets }) =>
    assets.map(({ start }) => start.slice(start.lastIndexOf('_') + 1)),
  );
  expect(starts).toEqual(expect.arrayContaining(['000123', '000131', '000200', '707099900000000018000151']));
  expect([...stack.ledger.certificates.facilities.values()]).toContainEqual(
    expect.objectContaining({ name: 'Wadi Nakhla Olivine, phase "II"', country: 'OM' }),
  );
});

test('ranges that begin with serial 0 are applied', async () => {
  await using stack = await startStack();
  const file = await writeRows(
    'zero,retirement,Z 1,0,99,100,,2021,Hill,NO,,',
    'zero,cancellation,Z 1,150,199,50,,2021,Hill,NO,,',
    'zero,retirement,Z 2,0,9,10,,2021,Hill,NO,,',
  );
  const report = await run(stack, file);
  expect(report).toMatchObject({
    ok: true,
    rows: { read: 3, applied: 3, bad: 0, failed: 0 },
    certificates: { issued: '210', retired: '110', offramped: '50', traded: '50' },
    ledger: { retired: '110', offramped: '50', disagreements: [] },
  });
  const starts = stack.ledger.transactions.flatMap(({ assets }) =>
    assets.map(({ start }) => start.slice(start.lastIndexOf('_') + 1)),
  );
  expect(starts.toSorted()).toEqual(['0', '0', '100', '150']);
});

test('lost connections, lost responses, 503 and 429 give the same ledger', async () => {
  await using stack = await startStack();
  const faults = ['cut-before', 'cut-after', 503, 429] as const;
  stack.fault = (_request, count) => (count % 3 === 0 ? faults[(count / 3) % faults.length] : undefined);
  const report = await run(stack, SAMPLE);
  expect(report).toMatchObject({
    ok: true,
    problems: [],
    ledger: { retired: '282', offramped: '59', disagreements: [] },
  });
  expect(stack.ledger.transactions).toHaveLength(18);
});

test('an interrupted replay resumes where it stopped', async () => {
  await using stack = await startStack();
  stack.fault = (_request, count) => (count > 25 ? 'cut-before' : undefined);
  const cut = await replay({ file: SAMPLE, demo: stack.demo, retryForMs: 100 });
  expect(cut.ok).toBe(false);
  expect(cut.ledger).toBeNull();
  expect(cut.rows.failed).toBeGreaterThan(0);
  expect(cut.reasons[0]).toContain(stack.demo.baseUrl);
  stack.fault = () => undefined;
  const rest = await run(stack, SAMPLE);
  expect(rest).toMatchObject({ ok: true, rows: { applied: 12 } });
  expect(rest.tasks.replayed).toBeGreaterThan(0);
});

test('bad rows are reported, the others are applied, and the replay is incomplete', async () => {
  await using stack = await startStack();
  const file = await writeRows(
    'r,retirement,b,1,10,10,,2020,P,US,,',
    'r,retirement,b,5,12,8,,2020,P,US,,',
    'r,retirement,b,x,12,8,,2020,P,US,,',
    'r,retirement,b,21,30,10,,2020,P,US,,',
  );
  const report = await run(stack, file);
  expect(report).toMatchObject({
    ok: false,
    rows: { read: 4, applied: 2, bad: 2, failed: 0 },
    ledger: { retired: '20', disagreements: [] },
  });
  expect(report.problems).toEqual([
    { line: 3, reason: '5–12 overlaps 1–10 of line 2' },
    { line: 4, reason: 'start "x" is not a serial, which has only digits' },
  ]);
  expect(formatReport(report)).toContain('NOT COMPLETE: 2 of 4 rows are bad');
});

test('rows that changed since an earlier replay are reported', async () => {
  await using stack = await startStack();
  await run(stack, await writeRows('r,retirement,b,1,10,10,,2020,P,US,Ann,', 'r,retirement,c,1,10,10,,2020,P,US,,'));
  const report = await run(
    stack,
    await writeRows(
      'r,retirement,b,1,10,10,,2020,P,US,Bob,',
      'r,retirement,c,1,10,10,,2020,P,US,,',
      'r,retirement,c,11,20,10,,2020,P,US,,',
    ),
  );
  expect(report.rows).toMatchObject({ applied: 0, failed: 3 });
  expect(report.problems.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    expect.stringMatching(/^2 retirement of 1–10 was refused: .*the file has changed since/),
    expect.stringMatching(
      /^3 issuance .* was not imported: .*exists with other content.*changed since an earlier replay/,
    ),
    expect.stringMatching(/^4 issuance .* was not imported/),
  ]);
});

test('a failed step ends its own batch, and the totals show it', async () => {
  await using stack = await startStack();
  const file = await writeRows(
    'r,retirement,b,1,10,10,,2020,P,US,,',
    'r,retirement,b,11,20,10,,2020,P,US,,',
    'r,cancellation,c,5,9,5,,2020,P,US,,',
  );
  // Another user takes the first certificates between import and transfers.
  stack.fault = (request) => {
    if (!request.includes('/imports/')) return undefined;
    for (const issuance of stack.ledger.certificates.issuances.values()) {
      const [bundle, ...others] = issuance.bundles;
      if (bundle?.last !== 20n || others.length > 0) continue;
      issuance.bundles = [
        { ...bundle, last: 3n, owner: 'stranger' },
        { ...bundle, first: 4n },
      ];
    }
    return undefined;
  };
  const report = await run(stack, file);
  expect(report.rows).toMatchObject({ applied: 1, failed: 2 });
  expect(report.problems[1]).toEqual({ line: 3, reason: 'skipped: line 2 of the same batch failed' });
  expect(report.ledger?.disagreements).toEqual([
    expect.stringContaining(
      'retired 0, but 20 in the file; 0 retired + 0 offramped + 17 listable differ from 20 issued',
    ),
  ]);
  expect(report.tasks.offramp.SUCCESS).toBe(1);
});

test('problems that prevent a replay are reported before any change', async () => {
  await using stack = await startStack();
  stack.api.roles = ['ASSET_VIEWER'];
  await expect(run(stack, SAMPLE)).rejects.toThrow('lacks ASSET_OFFRAMPER, TRANSACTION_ADMINISTRATOR');
  const channels = stack.demo.channels.map((channel) => ({
    ...channel,
    users: [{ apiKey: { id: 'user-key', secret: 'wrong' } }],
  }));
  const wrongKey = { ...stack.demo, channels };
  await expect(replay({ file: SAMPLE, demo: wrongKey })).rejects.toThrow(
    'the API key of the demo file does not work here',
  );
  await expect(replay({ file: join(folder, 'none.csv'), demo: stack.demo })).rejects.toThrow('cannot be read');
  expect(stack.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
});

test('a response that violates the contract ends the replay and is reported', async () => {
  await using stack = await startStack();
  stack.fault = (request) => (request.endsWith('/transactions') ? 'proxy' : undefined);
  const report = await run(stack, SAMPLE);
  expect(report).toMatchObject({ ok: false, ledger: null, rows: { applied: 12 } });
  expect(report.reasons).toEqual([
    'GET /saleschannel-services/v1/transactions responded with 200: the response is not JSON',
  ]);
});

test('a file without rows is not a success', async () => {
  await using stack = await startStack();
  expect(await run(stack, await writeRows())).toMatchObject({ ok: false, reasons: ['the file has no rows'] });
});

test('columns may have any order, with unknown columns between, after a byte order mark', async () => {
  await using stack = await startStack();
  const [header, ...rows] = (await readFile(SAMPLE, 'utf8')).split('\n');
  const path = join(folder, 'marked.csv');
  await writeFile(path, `\ufeff"note",${header}\r\n${rows.map((row) => (row === '' ? '' : `x,${row}`)).join('\r\n')}`);
  expect(await run(stack, path)).toMatchObject({ ok: true, rows: { applied: 12 } });
});
