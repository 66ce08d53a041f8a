import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { json, startServer } from './support/server.ts';

const root = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'sdk-package-'));
const consumer = join(folder, 'consumer');
const installed = join(consumer, 'node_modules/@saleschannel/sdk');

/** The package as published by npm, installed in isolation. */
beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'tools/build-packages.ts'), folder]);
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(folder, 'sdk'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { filename: string }[];
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed?.filename ?? 'nothing'), '-C', installed, '--strip-components=1']);
});

afterAll(() => rmSync(folder, { recursive: true }));

test('the package has no dependencies, sources or tests', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest['dependencies']).toEqual({});
  expect(manifest).not.toHaveProperty('private');
  expect(readdirSync(installed).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))).toEqual([]);
  const code = files
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(installed, 'dist', file), 'utf8'));
  // Browsers load this code, so it must use only web APIs.
  expect(code.join('\n')).not.toMatch(/from '(?!\.)|\bprocess\.|\bBuffer\b|\brequire\(/);
});

const program = `
import { SalesChannel, verifyWebhook, NotFoundError } from '@saleschannel/sdk';
const client = new SalesChannel({ baseUrl: process.argv[2], credentials: { apiKeyId: 'k', passphrase: 'p' } });
const { data, requestId } = await client.request('getTrader', { path: { traderId: 't1' } }).withResponse();
const seen = [];
for await (const { event } of client.events.iterate()) seen.push(event.id);
console.log(JSON.stringify([data.name, requestId.length, typeof verifyWebhook, typeof NotFoundError, seen]));
`;

const nodes = [process.execPath, '/usr/bin/node', '/usr/local/bin/node'].filter((node) => existsSync(node));

test.each(nodes)('%s runs the package unchanged', async (node) => {
  writeFileSync(join(consumer, 'program.mjs'), program);
  const { createdAt, id } = { createdAt: '2026-03-04T10:02:12.049Z', id: 'e1' };
  const server = await startServer((_, { url }) =>
    json(200, url.includes('/events') ? [{ createdAt, id }] : { name: 'Fjord' }),
  );
  try {
    const written = await new Promise<string>((resolve, reject) => {
      execFile(node, ['program.mjs', server.url], { cwd: consumer }, (error, output) =>
        error ? reject(error) : resolve(output),
      );
    });
    expect(JSON.parse(written)).toEqual(['Fjord', 34, 'function', 'function', ['e1']]);
  } finally {
    await server.stop();
  }
});

const typed = `
import { SalesChannel, TaskFailedError, verifyWebhook, type Task, type Trader } from '@saleschannel/sdk';
const client = new SalesChannel({ baseUrl: 'https://api.example.org', credentials: { accessToken: async () => 'x' } });
for await (const bundle of client.inventory.list('t1', { $filter: { vintage: { eq: '2024' } } })) bundle.start.slice(0);
const trader: Trader = await client.request('getTrader', { path: { traderId: 't1' } });
const assets = [{ start: 'a_1', end: 'a_2', unitPrice: '149.50' }];
const task = await client.trades.start(trader.id, { buyerId: 't2', currency: 'EUR', assets });
const done: Task = await task.wait({ timeoutMs: 1000 });
for await (const { event, position } of client.events.iterate({ follow: true })) console.log(event, position);
const message = await verifyWebhook({ body: '', headers: new Headers(), secrets: 'whsec_x' });
if (message.type === 'TEST') console.log(message.data.endpointId, done.status, TaskFailedError.name);
// @ts-expect-error a path is missing
await client.request('getTrader');
// @ts-expect-error no such operation
await client.request('sellEverything');
// @ts-expect-error no such filter
client.inventory.list('t1', { $filter: { colour: { eq: 'green' } } });
`;

test.each([
  ['browsers', ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], 'bundler', 'esnext'],
  ['modules of Node', ['es2023', 'dom'], 'nodenext', 'nodenext'],
])('its types match the contract, for %s', (_, lib, moduleResolution, module) => {
  writeFileSync(join(consumer, 'consumer.mts'), typed);
  const compilerOptions = {
    target: 'es2022',
    lib,
    types: [],
    module,
    moduleResolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.mts'] }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const run = (): string => {
    try {
      return execFileSync(process.execPath, [compiler, '-p', consumer], { encoding: 'utf8' });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  };
  expect(run()).toBe('');
});
