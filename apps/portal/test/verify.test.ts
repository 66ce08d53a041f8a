import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { startPortal, type TestPortal } from './support/portal.ts';
import { Register } from './support/register.ts';

/** `/verify` checks pasted text correctly, and without blocking the server. */

let portal: TestPortal;
let register: Register;
beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  portal = await startPortal();
  register = await Register.create();
  register.answerFor(portal.upstream);
  // Starts the thread before the measurement.
  await post(await register.add());
});
afterAll(() => portal.stop());

const post = (statement: string): Promise<Response> =>
  fetch(`${portal.url}/verify`, { method: 'POST', body: new URLSearchParams({ statement }) });
const verdictOn = async (statement: string): Promise<string> =>
  /<p id="result"[^>]*>(.*?)<\/p>/s.exec(await (await post(statement)).text())?.[1]?.trim() ?? 'none';

const ranges = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    certificates: `NCR_NRR_NCR200+_NO_K7M2QX_2024_5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_${index}01-${index}99`,
    start: `5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_${index}01`,
    end: `5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_${index}99`,
    volume: 99,
    standard: 'NCR',
    registry: 'NRR',
    creditType: 'NCR200+',
    methodologyCode: 'BIOCHAR-3',
    countryCode: 'NO',
    productionFacilityCode: 'K7M2QX',
    vintage: 2024,
    productionStartDate: '2024-07-01T00:00:00.000Z',
    productionEndDate: '2024-12-31T23:59:59.000Z',
    issuingDate: '2025-02-10T00:00:00.000Z',
  }));

describe('a statement', () => {
  test('of a thousand ranges is checked, compact and indented', async () => {
    const text = await register.add({ facts: { certificates: ranges(1_000) } });
    expect(await verdictOn(text)).toContain('Signature valid');
    expect(await verdictOn(JSON.stringify(JSON.parse(text), undefined, 2))).toContain('Signature valid');
  });

  test('is valid in any order of its members, with space around its signature', async () => {
    const { signature, ...rest } = JSON.parse(await register.add()) as Record<string, unknown>;
    const text = `{"signature" \n : "${String(signature)}" ,${JSON.stringify(rest).slice(1)}`;
    expect(await verdictOn(text)).toContain('Signature valid');
  });

  test('may contain "signature" elsewhere', async () => {
    const text = await register.add({ hidden: { beneficiaryName: 'signature', retirementPurpose: '"signature":"x"' } });
    expect(await verdictOn(text)).toContain('Signature valid');
  });

  test('with the signature of another statement is invalid', async () => {
    const text = await register.add();
    const other = await register.add({ hidden: { beneficiaryName: 'Sjøfart' } });
    const signatureOf = (each: string) => (JSON.parse(each) as { signature: string }).signature;
    expect(await verdictOn(text.replace(signatureOf(text), signatureOf(other)))).toContain('Signature invalid');
    const two = `{"signature":"${signatureOf(other)}",${text.slice(1)}`;
    expect(await verdictOn(two)).toContain('Signature invalid');
  });
});

describe('other input', () => {
  test.each([
    ['nothing', ''],
    ['no signature', '{"signature":1}'],
    ['a signature without an end', '{"signature":"a.b.c"}'],
    ['a JWS of two parts', '{"signature":"a.b~"}'],
    ['a JWS of five parts', '{"signature":"a.b.c.d.e~"}'],
    ['a header that is not base64url', `{"signature":"€.b.${'A'.repeat(86)}~"}`],
    ['a long header', `{"signature":"${'A'.repeat(2_000)}.b.${'A'.repeat(86)}~"}`],
    ['too many disclosures', `{"signature":"a.b.${'A'.repeat(86)}~~~~~"}`],
  ])('%s is rejected', async (_what, text) => {
    expect(await verdictOn(text)).toContain('Signature invalid');
  });

  test('is not shown again if it is long', async () => {
    const page = await (await post(`${'z'.repeat(1_000_000)}`)).text();
    expect(page.length).toBeLessThan(10_000);
    expect(page).toContain('Signature invalid');
  });

  test('with too many values is rejected, even with a valid signature', async () => {
    const text = await register.add();
    const filled = `${text.slice(0, -1)},"more":[${'0,'.repeat(100_000)}0]}`;
    expect(await verdictOn(filled)).toContain('more values than a statement');
  });

  test('with too many fields or bytes is rejected', async () => {
    const send = (body: string | Uint8Array<ArrayBuffer>, type = 'application/x-www-form-urlencoded') =>
      fetch(`${portal.url}/verify`, { method: 'POST', headers: { 'content-type': type }, body });
    expect((await send('a&'.repeat(1_000))).status).toBe(413);
    expect((await send(`statement=${'x'.repeat(2_097_152)}`)).status).toBe(413);
    expect((await send('{}', 'application/json')).status).toBe(415);
    expect((await send(Uint8Array.of(0x61, 0xff))).status).toBe(400);
  });
});

test('limits an address to one form in progress and one queued, without effect on others', async () => {
  const held = Promise.withResolvers<void>();
  const keys = portal.upstream.answer;
  let asked = 0;
  portal.upstream.answer = (request, response, body) => {
    asked += 1;
    void held.promise.then(() => keys(request, response, body));
  };
  const text = await register.add();
  const forms = Array.from({ length: 5 }, () => post(text));
  const statuses = forms.map((each) => each.then(({ status }) => status));
  const first = await Promise.race(statuses);
  expect(first).toBe(429);
  held.resolve();
  expect((await Promise.all(statuses)).toSorted()).toEqual([200, 200, 429, 429, 429]);
  expect(asked).toBe(2);
  portal.upstream.answer = keys;
});

/** Bodies that once blocked the server, some of them with quadratic time. */
const bombs: readonly [what: string, text: string][] = [
  ['line ends', '\n'.repeat(40_000) + 'x'],
  ['megabytes of line ends', '\n'.repeat(600_000) + 'x'],
  ['line ends behind brackets', '>\n'.repeat(300_000)],
  ['numbers', `[${'0,'.repeat(500_000)}0]`],
  ['objects', `[${'{},'.repeat(200_000)}0]`],
  ['brackets', '['.repeat(600_000)],
  ['disclosures', `{"signature":"${'~'.repeat(600_000)}"}`],
  ['dots', `{"signature":"${'.'.repeat(1_500_000)}~"}`],
  ['signatures', '"signature":'.repeat(100_000)],
];

/** Returns the texts that the main thread parses while it answers a form. */
async function parsedInMainThread(statement: string): Promise<Set<string>> {
  const parse = jest.spyOn(JSON, 'parse');
  try {
    const { status } = await post(statement);
    expect(status).toBe(200);
    return new Set(parse.mock.calls.map(([text]) => text));
  } finally {
    parse.mockRestore();
  }
}

test.each(bombs)('%s do not delay other requests, because another thread parses them', async (...bomb) => {
  const [, text] = bomb;
  expect(await parsedInMainThread(text)).toEqual(new Set([JSON.stringify({ keys: register.keys })]));
});

test('a valid statement is parsed in another thread, too', async () => {
  const text = await register.add({ facts: { certificates: ranges(1_000) } });
  expect(await parsedInMainThread(text)).toEqual(new Set([JSON.stringify({ keys: register.keys })]));
});

describe('the documented check', () => {
  /** Runs the code of docs/integrate/statements.md in a folder without packages. */

  const document = readFileSync(resolve(import.meta.dirname, '../../../docs/integrate/statements.md'), 'utf8');
  const findBlock = (language: string): string =>
    new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(document)?.[1] ?? 'false';
  const folder = mkdtempSync(join(tmpdir(), 'offline-'));
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  let register: Register;

  beforeAll(async () => {
    register = await Register.create();
    writeFileSync(join(folder, 'check.mjs'), findBlock('js'));
    writeFileSync(join(folder, 'statement-keys.json'), JSON.stringify({ keys: register.keys }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function run(statement: string): Promise<string> {
    writeFileSync(join(folder, 'statement.json'), statement);
    const options = { cwd: folder, env: { PATH: path } };
    const { stdout } = await promisify(execFile)('/bin/sh', ['-e', '-c', findBlock('sh')], options);
    return stdout;
  }

  test('the documented check accepts signed statements, hidden or not', async () => {
    expect(await run(await register.add())).toBe('valid\n');
    expect(await run(await register.add({ isHidden: true }))).toBe('valid\n');
  });

  test.each([
    ['Nordlys', 'Nordlis'],
    ['"volume":31250', '"volume":31251'],
    ['"retiredAt":"2025', '"retiredAt":"2024'],
    ['"publication"', '"note":1,"publication"'],
  ])('the documented check refuses %s as %s', async (from, to) => {
    const text = await register.add();
    expect(text).toContain(from);
    await expect(run(text.replace(from, to))).rejects.toThrow();
  });

  test('the documented check rejects other keys', async () => {
    const other = await Register.create();
    await expect(run(await other.add())).rejects.toThrow('not signed by this key');
  });
});
