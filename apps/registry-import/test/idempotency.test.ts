import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asRegistry, callAs, catchFailure, createdOnce, repeatCall } from '@saleschannel/testing';
import {
  NDJSON,
  ndjson,
  partsOf,
  facilityOf,
  holderContent,
  holderLine,
  issuanceOf,
  type Part,
} from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport } from './support/registry-import.ts';

let registry: RegistryImport;
beforeAll(async () => {
  registry = await startRegistryImport();
});
afterAll(() => registry.stop());

const rowsOf = (table: string) => registry.service.sql(`select from ${table}`);

test('an account holder is created once per key, and every repeat reports the creation', async () => {
  const gateway = await registry.clientOf('gateway');
  const [businessId, another] = [newId(), newId()];
  const as = await asRegistry();
  const repeats = await repeatCall(as, (options, isOther) =>
    gateway.CreateAccountHolder({ content: holderContent(isOther ? another : businessId) }, options),
  );
  expect(repeats).toEqual(createdOnce(repeats.answers[0]));
  expect(repeats.answers[0]).toMatchObject({ created: true, accountHolder: { businessId } });
  expect((await registry.list({ limit: 10 }, { businessId: another })).accountHolders).toEqual([]);
  gateway.close();
});

test('a refused request does not use up its key', async () => {
  const gateway = await registry.clientOf('gateway');
  const businessId = newId();
  await registry.createHolder(businessId);
  const options = { ...(await asRegistry()), idempotencyKey: newId() };
  const contradiction = gateway.CreateAccountHolder({ content: holderContent(businessId, 'Other') }, options);
  expect(await catchFailure(contradiction)).toMatchObject({ code: 'request-refused' });
  const created = await gateway.CreateAccountHolder({ content: holderContent(newId()) }, options);
  expect(created).toMatchObject({ created: true });
  gateway.close();
});

test('operators create, suspend and resume an account holder once per key', async () => {
  const as = { operator: 'dana' };
  const directory = await registry.directory('admin');
  const operator = await registry.operator();
  const businessId = newId();
  const created = await repeatCall(as, (options, isOther) =>
    directory.EnsureAccountHolder({ content: holderContent(businessId, isOther ? 'Other' : 'Same') }, options),
  );
  expect(created).toEqual(createdOnce(created.answers[0]));
  const [accountHolderId, another] = [
    String(created.answers[0]?.accountHolderId),
    await registry.createHolder(newId()),
  ];
  const target = (isOther: boolean) => ({ accountHolderId: isOther ? another : accountHolderId });
  const suspended = await repeatCall(as, (options, isOther) =>
    operator.SuspendAccountHolder({ ...target(isOther), reason: 'late' }, options),
  );
  expect(suspended).toEqual(createdOnce(suspended.answers[0]));
  const resumed = await repeatCall(as, (options, isOther) => operator.ResumeAccountHolder(target(isOther), options));
  expect(resumed).toEqual(createdOnce(resumed.answers[0]));
  expect(await registry.get(another)).toMatchObject({ status: 'ACTIVE' });
  directory.close();
  operator.close();
});

test('a file is imported once per key, and repeated uploads are deleted', async () => {
  const gateway = await registry.clientOf('gateway');
  const operator = await callAs('admin', 'importAdministration', registry.service.address);
  const before = (await rowsOf('import')).length;
  const file = (isOther: boolean) => partsOf(ndjson(holderLine(isOther ? 'OTHER' : 'ONCE')), NDJSON);
  const sent = await repeatCall(await asRegistry(), (options, isOther) => gateway.StartImport(file(isOther), options));
  expect(sent).toEqual(createdOnce(sent.answers[0]));
  const again = await repeatCall({ operator: 'dana' }, (options, isOther) =>
    operator.StartImport(file(isOther), options),
  );
  expect(again).toEqual(createdOnce(again.answers[0]));
  expect(again.answers[0]?.importId).not.toBe(sent.answers[0]?.importId);
  expect(await rowsOf('import')).toHaveLength(before + 2);
  const ended = await registry.finished(String(sent.answers[0]?.importId));
  expect(counts(ended)).toEqual({ status: 'COMPLETED', read: 1, applied: 1, failed: 0 });
  await registry.finished(String(again.answers[0]?.importId));
  expect(await rowsOf('import_chunk')).toEqual([]);
  gateway.close();
  operator.close();
});

test('an upload that breaks off does not use up its key', async () => {
  const gateway = await registry.clientOf('gateway');
  async function* broken(): AsyncGenerator<Part> {
    yield { header: NDJSON, part: 'header' };
    yield { end: { bytes: 1 }, part: 'end' };
  }
  const options = { ...(await asRegistry()), idempotencyKey: newId() };
  expect(await catchFailure(gateway.StartImport(broken(), options))).toMatchObject({ code: 'unavailable' });
  const { importId } = await gateway.StartImport(partsOf(ndjson(holderLine(newId())), NDJSON), options);
  expect(await registry.finished(importId)).toMatchObject({ status: 'COMPLETED' });
  gateway.close();
});

test('the key of an issuance is passed to the ledger, which stores the outcome', async () => {
  const gateway = await registry.clientOf('gateway');
  await registry.putFacility(facilityOf('KEYED1'));
  const accountHolderId = await registry.createHolder(newId());
  const issue = { ...issuanceOf(1, 'KEYED1'), accountHolderId };
  const as = await asRegistry();
  const repeats = await repeatCall(as, (options, isOther) =>
    gateway.CreateIssuance({ issuance: isOther ? { ...issue, lastSerial: '600' } : issue }, options),
  );
  expect(repeats.answers.map(({ created }) => created)).toContain(true);
  expect(repeats.refusal).toMatchObject({ code: 'idempotency-key-reused' });
  expect(registry.ledger.issuances.size).toBe(1);
  gateway.close();
});
