import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { callAs, eventually, catchFailure } from '@saleschannel/testing';
import { NDJSON, ndjson, partsOf } from './support/files.ts';
import { holderLine } from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport } from './support/registry-import.ts';

let registry: RegistryImport;
let operator: ServiceClient<'importAdministration'>;
beforeAll(async () => {
  registry = await startRegistryImport({ IMPORTS_WAITING_PER_KEY: '2' });
  operator = await callAs('admin', 'importAdministration', registry.service.address);
});
afterAll(async () => {
  operator.close();
  await registry.stop();
});

const asOlga = { operator: 'olga', clientAddress: '192.0.2.1', requestId: 'r1' };

/** Returns the actors of a subject in a trail. */
async function actorsOf(scope: string, subjectId: string): Promise<unknown[]> {
  const client = await callAs('admin', 'auditLog', registry.service.address, 'registry-import');
  try {
    const { events } = await client.ListAuditEvents({ scope, range: { afterSequence: '0', limit: 1_000 } });
    return events
      .map(({ event }) => JSON.parse(event) as { subject: { id: string }; action: string; actor: unknown })
      .filter(({ subject }) => subject.id === subjectId)
      .map(({ action, actor }) => [action, actor]);
  } finally {
    client.close();
  }
}

test('an operator imports a file and reads the result, like a registry key', async () => {
  const businessId = newId();
  const file = `${ndjson(holderLine(businessId))}\nno json\n`;
  const { importId } = await operator.StartImport(partsOf(file, NDJSON), asOlga);
  const ended = await registry.finished(importId);
  expect(counts(ended)).toEqual({ status: 'COMPLETED', read: 2, applied: 1, failed: 1 });
  expect(await operator.GetImport({ importId }, asOlga)).toMatchObject({ importId, status: 'COMPLETED' });
  const { imports } = await operator.ListImports({ page: { limit: 1 } }, asOlga);
  expect(imports).toMatchObject([{ importId }]);
  const { errors } = await operator.ListImportErrors({ importId, page: { limit: 10 } }, asOlga);
  expect(errors).toMatchObject([{ line: '2', code: 'json' }]);
  expect(await registry.errorsOf(importId)).toMatchObject([{ line: 2, code: 'json' }]);
});

test('the trail of the installation names the operator, that of the registry does not', async () => {
  const businessId = newId();
  const { importId } = await operator.StartImport(partsOf(ndjson(holderLine(businessId)), NDJSON), asOlga);
  await registry.finished(importId);
  const received = 'registry-import.import.received';
  expect(await actorsOf('installation', importId)).toEqual([[received, { kind: 'operator', id: 'olga' }]]);
  expect(await actorsOf('registry', importId)).toContainEqual([received, { kind: 'operator' }]);
  const { accountHolders } = await registry.list({ limit: 1 }, { businessId });
  const holder = String(accountHolders[0]?.accountHolderId);
  const created = ['registry-import.account-holder.created', { kind: 'operator' }];
  expect([await actorsOf('registry', holder), await actorsOf('installation', holder)]).toEqual([[created], []]);
});

test('rate-limited: operators share one quota', async () => {
  const open = Array.from({ length: 2 }, () => Promise.withResolvers<undefined>());
  const uploads = open.map(({ promise }) =>
    operator.StartImport(
      (async function* () {
        yield { header: NDJSON };
        await promise;
        yield { end: { bytes: 0 } };
      })(),
      asOlga,
    ),
  );
  await operator.ListImports({ page: { limit: 1 } });
  const unfinished = async () => {
    const activity = await callAs('admin', 'activity', registry.service.address, 'registry-import');
    try {
      return (await activity.GetActivity({})).unfinishedImports;
    } finally {
      activity.close();
    }
  };
  await eventually(async () => (await unfinished()) === '2', 'two uploads');
  const another = operator.StartImport(partsOf('', NDJSON), { ...asOlga, operator: 'otto' });
  expect(await catchFailure(another)).toMatchObject({ code: 'rate-limited' });
  for (const { resolve } of open) resolve(undefined);
  for (const { importId } of await Promise.all(uploads)) await registry.finished(importId);
});

test.each(['gateway', 'tasks'] as const)('forbidden: the service %s', async (caller) => {
  const other = await callAs(caller, 'importAdministration', registry.service.address);
  const answers = [
    catchFailure(other.StartImport(partsOf('', NDJSON), asOlga)),
    catchFailure(other.ListImports({ page: { limit: 1 } }, asOlga)),
    catchFailure(other.GetImport({ importId: 'x' }, asOlga)),
    catchFailure(other.ListImportErrors({ importId: 'x', page: { limit: 1 } }, asOlga)),
  ];
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ code: 'forbidden' });
  other.close();
});
