import { spawn } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findFreePort } from '@saleschannel/local-backends';
import { testBrokerUrl, testNamespace } from '@saleschannel/testing';
import { runCommandLine } from '../src/command-line.ts';
import type { Result } from '../src/index.ts';
import { createInstallation, type Installation } from './support/installation.ts';

/** Two installations: one without findings, and one with three wrong totals. */

const LIMIT_MS = 180_000;
const COUNTS = 'inventory-certificate-count';
let sound: Installation;
let damaged: Installation;
beforeAll(async () => {
  [sound, damaged] = await Promise.all([createInstallation(), createInstallation()]);
  await damaged.damage(
    'inventory',
    ...['HELD', 'LISTABLE', 'RESERVED'].map(
      (state) => `insert into list_count_delta (list, key, delta) values ('certificate', 'state/${state}', 1)`,
    ),
  );
}, LIMIT_MS);
afterAll(async () => {
  await sound.drop();
  await damaged.drop();
}, LIMIT_MS);

type Variables = Record<string, string>;

async function run(variables: Variables, words: string[] = [], stack?: Variables) {
  let [output, errors] = ['', ''];
  const status = await runCommandLine(words, {
    environment: variables,
    write: (more) => void (output += more),
    writeError: (more) => void (errors += more),
    findLocalStack: () => stack,
  });
  return { status, output, errors };
}
const of = (installation: Installation): Variables => ({
  AUDIT_DATABASE_URL: installation.auditUrl,
  AUDIT_QUIET_SECONDS: '0',
});

interface Document {
  readonly clean: boolean;
  readonly found: readonly string[];
  readonly checks: readonly Result[];
}

test('0: all checks pass, and each is listed', async () => {
  const { status, output, errors } = await run(of(sound));
  const lines = output.trimEnd().split('\n');
  expect({ status, last: lines.pop() }).toEqual({ status: 0, last: 'All checks passed.' });
  expect(lines.filter((line) => !/^ok {4}[a-z-]+: \d+ rows$/.test(line))).toEqual([]);
  expect(lines).toContain('ok    inventory-certificate-count: 0 rows');
  expect(errors).toBe('audit: AMQP_URL is not set, so the broker is not checked for dead letters.\n');
});

test('1: a check fails, with ids', async () => {
  const { status, output } = await run(of(damaged));
  expect({ status, last: output.trimEnd().split('\n').at(-1) }).toEqual({
    status: 1,
    last: '1 checks failed.',
  });
  expect(output).toContain(`FOUND ${COUNTS}: 3 of 3 rows. The stored count of each key equals the number of its rows:
        state/HELD: count 1, rows 0
        state/LISTABLE: count 1, rows 0
        state/RESERVED: count 1, rows 0
`);
});

test('--findings limits the shown findings, but not their count', async () => {
  const { output } = await run(of(damaged), ['--findings', '1']);
  expect(output).toMatch(/FOUND \S+: 3 of 3 rows\..*\n {8}state\/\w+: count 1, rows 0\n {8}and 2 more\n/);
});

test('--json prints only one document', async () => {
  const [clean, wrong] = [await run(of(sound), ['--json']), await run(of(damaged), ['--json', '--findings', '2'])];
  expect(clean.output.trimEnd().split('\n')).toHaveLength(1);
  const documents = [clean, wrong].map(({ output }) => JSON.parse(output) as Document);
  expect(documents).toMatchObject([
    { clean: true, found: [] },
    { clean: false, found: [COUNTS] },
  ]);
  const [all, found] = documents.map(({ checks }) => checks);
  expect(all?.every(({ count }) => count === 0)).toBe(true);
  expect(found?.map(({ name }) => name)).toEqual(all?.map(({ name }) => name));
  expect(found?.filter(({ count }) => count > 0)).toMatchObject([
    { name: COUNTS, rows: 3, count: 3, findings: [{ detail: 'count 1, rows 0' }, {}] },
  ]);
  expect([clean.status, wrong.status]).toEqual([0, 1]);
});

test('--help prints the usage without any variables', async () => {
  expect(await run({}, ['--help'])).toMatchObject({ status: 0, output: expect.stringContaining('Exit code: 0') });
});

test.each<[string, string[]]>([
  ['--findings must be a whole number', ['--findings', 'many']],
  ["Unknown option '--mend'", ['--mend']],
  ["Unexpected argument 'tasks'", ['tasks']],
])('2: %s', async (message, words) => {
  expect(await run(of(sound), words)).toMatchObject({
    status: 2,
    output: '',
    errors: expect.stringContaining(message),
  });
});

test.each<[string, Variables]>([
  ['AUDIT_DATABASE_URL is not set', {}],
  ['AUDIT_DATABASE_URL must contain {service}', { AUDIT_DATABASE_URL: 'postgres://auditor:hidden@server/tasks' }],
  ['AUDIT_QUIET_SECONDS must be a whole number from 0 to 3600', { AUDIT_QUIET_SECONDS: 'soon' }],
  ['AMQP_URL must be a URL that begins with amqp:// or amqps://', { AMQP_URL: 'http://auditor:hidden@server' }],
])('2: %s', async (message, variables) => {
  const { status, output, errors } = await run(variables);
  expect({ status, output }).toEqual({ status: 2, output: '' });
  expect(errors).toContain(message);
  expect(errors).not.toContain('hidden');
});

test('2: an unreachable database is named, without the password', async () => {
  const url = `postgres://auditor:hidden@127.0.0.1:${await findFreePort()}/{service}`;
  const { status, output, errors } = await run({ AUDIT_DATABASE_URL: url }, ['--json']);
  expect({ status, output }).toEqual({ status: 2, output: '' });
  expect(errors).toContain('audit: The database of webhooks cannot be read: ');
  expect(errors).not.toContain('hidden');
});

test('2: an unreachable broker is reported, without the password', async () => {
  const AMQP_URL = `amqp://auditor:hidden@127.0.0.1:${await findFreePort()}/`;
  const { status, output, errors } = await run({ ...of(sound), AMQP_URL }, ['--json']);
  expect({ status, output }).toEqual({ status: 2, output: '' });
  expect(errors).toContain('audit: The broker cannot be queried: ');
  expect(errors).not.toContain('hidden');
});

test('the running stack of the checkout is audited only if no database is given', async () => {
  expect(await run({}, [], of(damaged))).toMatchObject({
    status: 1,
    errors: expect.stringContaining('audit: Using the local stack\n'),
  });
  expect(await run(of(sound), [], of(damaged))).toMatchObject({
    status: 0,
    errors: expect.not.stringContaining('local stack'),
  });
});

test('the process ends by itself, with the exit code of its findings', async () => {
  // No service of this namespace ever ran, so its queues are missing.
  const variables = { ...of(sound), AMQP_URL: testBrokerUrl(), AMQP_NAMESPACE: testNamespace() };
  const child = spawn(process.execPath, [`${import.meta.dirname}/../src/main.ts`, '--json'], {
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const { found } = JSON.parse(await text(child.stdout)) as Document;
  expect(await ended).toBe(1);
  expect(found).toEqual(['dead-letters', 'messages']);
});

test('--anchors adds a line after a run without findings, and refuses a file with an invalid last line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'anchors-'));
  try {
    const file = join(folder, 'anchors.jsonl');
    const lines = async (): Promise<string[]> => (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(await run(of(sound), ['--anchors', file])).toMatchObject({ status: 0 });
    expect(await run(of(sound), ['--anchors', file])).toMatchObject({ status: 0 });
    expect(await lines()).toHaveLength(2);
    expect(await run(of(damaged), ['--anchors', file])).toMatchObject({ status: 1 });
    expect(await lines()).toHaveLength(2);
    const head = { sequence: '4', hash: 'ab'.repeat(32) };
    const anchor = { anchoredAt: new Date(0).toISOString(), heads: { 'inventory/registry': head } };
    await appendFile(file, `${JSON.stringify(anchor)}\n`);
    const { status, output } = await run(of(sound), ['--anchors', file]);
    expect({ status, output }).toMatchObject({
      status: 1,
      output: expect.stringMatching(/FOUND anchors: 1 of 1 rows/),
    });
    expect(output).toContain(`inventory/registry/4: the anchored event ${head.hash} is missing or was changed\n`);
    expect(await lines()).toHaveLength(3);
    await appendFile(file, '{"heads": {}}\n');
    expect(await run(of(sound), ['--anchors', file])).toMatchObject({
      status: 2,
      errors: expect.stringContaining('is not an anchor'),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
