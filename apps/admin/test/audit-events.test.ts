import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditedServices } from '@saleschannel/contracts';
import { neighbour, removeMarkers, startNeighbours } from '@saleschannel/testing';
import { runIn, startAdmin, type Admin } from './support/admin.ts';

/** More than one page. */
const LENGTH = 1_500;

const eventOf = (scope: string, sequence: number) => {
  const event = JSON.stringify({ scope, sequence });
  return { sequence: String(sequence), occurredAt: '', event, hash: createHash('sha256').update(event).digest() };
};

let admin: Admin;
let trail: Awaited<ReturnType<typeof startNeighbours>>;
const requests: unknown[] = [];
/** Defaults of a request. */
const oldestFirst = { beforeSequence: '0', descending: false };
let isOldRelease = false;
beforeAll(async () => {
  admin = await startAdmin();
  trail = await startNeighbours(
    neighbour('auditLog', ['admin'], {
      ListAuditEvents: ({ scope, range }) => {
        requests.push(removeMarkers({ scope, range: removeMarkers(range ?? {}) }));
        const { afterSequence = '0', limit = 0 } = range ?? {};
        const length = scope === 'installation' ? LENGTH : 1;
        const events = Array.from({ length }, (_, index) => eventOf(scope, index + 1));
        return Promise.resolve({
          events: events.slice(Number(afterSequence), Number(afterSequence) + limit),
          total: String(length),
          isFilteredAsRequested: !isOldRelease,
        });
      },
    }),
  );
});
afterAll(() => Promise.all([admin.stop(), trail.stop()]));
beforeEach(() => {
  requests.length = 0;
  isOldRelease = false;
});

/** Runs the command with a server that has the trails of all services. */
const run = (...words: string[]) =>
  runIn(
    {
      ...admin.environment,
      IDENTITY_ADDRESS: trail.address,
      TRADERS_ADDRESS: trail.address,
      INVENTORY_ADDRESS: trail.address,
      REGISTRY_IMPORT_ADDRESS: trail.address,
      WEBHOOKS_ADDRESS: trail.address,
      ...(words.includes('--scope') && { RBAC_ADDRESS: trail.address }),
    },
    'audit-events',
    ...words,
  );

const linesOf = ({ output }: { output: string }) =>
  output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { scope: string; sequence: number; hash: string });

test('prints the chain of a scope over several pages, each event as hashed, with its hash', async () => {
  const answer = await run('--scope', 'installation', '--service', 'identity');
  expect({ exitCode: answer.exitCode, errors: answer.errors }).toEqual({ exitCode: 0, errors: '' });
  const lines = linesOf(answer);
  expect(lines.map(({ sequence }) => sequence)).toEqual(Array.from({ length: LENGTH }, (_, index) => index + 1));
  for (const { hash, ...event } of lines)
    expect(createHash('sha256').update(JSON.stringify(event)).digest('hex')).toBe(hash);
  expect(requests).toEqual([
    { scope: 'installation', range: { ...oldestFirst, afterSequence: '0', limit: 1_000 } },
    { scope: 'installation', range: { ...oldestFirst, afterSequence: '1000', limit: 1_000 } },
  ]);
});

test('requests the scope and the range from every service', async () => {
  const answer = await run('--scope', 'registry', '--from', '2026-01-01T00:00:00Z', '--to', '2026-02-01T00:00:00Z');
  expect(linesOf(answer)).toHaveLength(auditedServices.length);
  const between = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
  const range = { ...oldestFirst, afterSequence: '0', limit: 1_000, ...between };
  expect(requests).toEqual(auditedServices.map(() => ({ scope: 'registry', range })));
});

test('requests order, action and actor from the service, and fails if a replica ignores them', async () => {
  const words = ['--scope', 'registry', '--service', 'rbac', '--order', 'desc'];
  await run(...words, '--action', 'rbac.role.granted', '--actor', 'olga');
  const filter = { action: 'rbac.role.granted', actorId: 'olga' };
  const range = { afterSequence: '0', beforeSequence: '0', descending: true, limit: 1_000, ...filter };
  expect(requests).toEqual([{ scope: 'registry', range }]);
  isOldRelease = true;
  expect(await run(...words)).toMatchObject({ exitCode: 1, output: '' });
});

test('prints all scopes by default: the common ones and each sales channel', async () => {
  const answer = await run('--service', 'inventory');
  expect({ exitCode: answer.exitCode, errors: answer.errors }).toEqual({ exitCode: 0, errors: '' });
  const scopes = [...new Set(linesOf(answer).map(({ scope }) => scope))];
  expect(scopes).toEqual(['installation', 'registry', 'sessions', 'channel-1']);
});

test('fails if a service cannot be reached, because an incomplete trail looks like a complete one', async () => {
  const answer = await runIn(
    { ...admin.environment, IDENTITY_ADDRESS: trail.address, RBAC_ADDRESS: '127.0.0.1:1' },
    'audit-events',
    '--scope',
    'registry',
  );
  expect(answer.exitCode).toBe(1);
  expect(answer.errors).toContain('cannot be reached');
});

test.each([
  [['--service', 'tasks'], 'Allowed choices are identity, rbac, traders, inventory, registry-import, webhooks'],
  [['--scope', ''], 'It must not be empty.'],
  [['--order', 'newest'], 'Allowed choices are asc, desc'],
])('%j is refused before any call', async (words, message) => {
  const { exitCode, errors } = await run(...words);
  expect(exitCode).toBe(2);
  expect(errors).toContain(message);
  expect(requests).toEqual([]);
});
