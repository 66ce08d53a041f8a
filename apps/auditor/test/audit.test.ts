import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { audit, toDatabaseUrls, type Result } from '../src/index.ts';
import { createInstallation, type Installation } from './support/installation.ts';

/** Changes in transit look like violations, and count only if unchanged in the second look. */

const LIMIT_MS = 120_000;
let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
}, LIMIT_MS);
afterAll(() => installation.drop(), LIMIT_MS);
afterEach(() => installation.damage('tasks', 'delete from outbox'));

const waiting = (id: number, type = 'any'): string =>
  `insert into outbox (id, type, body) overriding system value values (${id}, '${type}', '{}')`;

/** Runs an audit with this work between the two looks. Returns the findings and the waiting times. */
async function found(between: () => Promise<void>) {
  const waits: number[] = [];
  const results = await audit(toDatabaseUrls(installation.auditUrl), {
    quietSeconds: 7,
    async wait(milliseconds) {
      waits.push(milliseconds);
      await between();
    },
  });
  const findings = (result: Result) => result.findings.map(({ id }) => [result.name, id]);
  return { waits, findings: results.filter(({ count }) => count > 0).flatMap(findings) };
}
const nothing = (): Promise<void> => Promise.resolve();

test('without findings there is only one look', async () => {
  expect(await found(nothing)).toEqual({ waits: [], findings: [] });
});

test('findings that are equal in both looks count', async () => {
  await installation.damage('tasks', waiting(1), waiting(2));
  expect(await found(nothing)).toEqual({
    waits: [7_000],
    findings: [
      ['tasks-outbox', '1'],
      ['tasks-outbox', '2'],
    ],
  });
});

test('findings in only one look do not count', async () => {
  await installation.damage('tasks', waiting(1), waiting(2));
  const between = () => installation.damage('tasks', 'delete from outbox where id = 1', waiting(3));
  expect((await found(between)).findings).toEqual([['tasks-outbox', '2']]);
});

test('findings that have changed do not count', async () => {
  await installation.damage('tasks', waiting(1));
  const between = () => installation.damage('tasks', "update outbox set type = 'other'");
  expect((await found(between)).findings).toEqual([]);
});

test('findings that cannot be in transit count at once', async () => {
  await installation.damage(
    'inventory',
    "insert into list_count_delta (list, key, delta) values ('certificate', 'state/HELD', 1)",
  );
  try {
    expect(await found(nothing)).toEqual({ waits: [], findings: [['inventory-certificate-count', 'state/HELD']] });
  } finally {
    await installation.damage('inventory', 'delete from list_count_delta');
  }
});
