import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceActor } from '@saleschannel/audit';
import { callAs, eventually, catchFailure, openTestDatabase, principalToken } from '@saleschannel/testing';
import { applyLines } from '../src/imports/apply-lines.ts';
import { schema } from '../src/store/schema.ts';
import { NDJSON, ndjson, partsOf, holderContent, holderLine, issuanceIdOf, type Part } from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport } from './support/registry-import.ts';

const MAX_BYTES = 300_000;
const MAX_LINES = 2_000;
const MAX_ERRORS = 50;
const MAX_WAITING = 3;

let registry: RegistryImport;
beforeAll(async () => {
  registry = await startRegistryImport({
    IMPORT_BYTES_AT_MOST: String(MAX_BYTES),
    IMPORT_LINES_AT_MOST: String(MAX_LINES),
    IMPORT_ERRORS_STORED_AT_MOST: String(MAX_ERRORS),
    IMPORTS_WAITING_PER_KEY: String(MAX_WAITING),
  });
});
afterAll(() => registry.stop());

const newest = async () => (await registry.listImports({ limit: 1 })).imports[0];
const storedChunks = () => registry.service.sql('select position from import_chunk');

describe('a file that is too large is refused during the upload, and not applied:', () => {
  async function* endless(line: string): AsyncGenerator<Part> {
    yield { header: NDJSON, part: 'header' };
    yield { data: Buffer.from(`${JSON.stringify(holderLine('FIRST-LINE'))}\n`), part: 'data' };
    for (;;) yield { data: Buffer.from(line.repeat(1_000)), part: 'data' };
  }

  test.each([
    ['bytes', 'x'.repeat(50)],
    ['lines', '\n'],
  ])('more %s than an import may have', async (what, line) => {
    const refused = await catchFailure(registry.startImport(endless(line)));
    expect(refused).toMatchObject({ code: 'payload-too-large', message: expect.stringContaining(what) });
    const failed = await eventually(async () => {
      const found = await newest();
      return found?.status === 'FAILED' && found;
    }, 'an import that failed');
    expect(counts(failed)).toEqual({ status: 'FAILED', read: 1, applied: 0, failed: 1 });
    expect(await registry.errorsOf(failed.importId)).toMatchObject([{ line: 1, code: 'payload-too-large' }]);
    expect(await storedChunks()).toEqual([]);
    expect(await registry.list({ limit: 1 })).toMatchObject({ total: '0' });
  });

  test('a file with the maximum number of lines is accepted', async () => {
    const full = await registry.importFile('\n'.repeat(MAX_LINES));
    expect(full.status).toBe('COMPLETED');
    const tooMany = catchFailure(registry.startImport(partsOf(`${'\n'.repeat(MAX_LINES)}x`, NDJSON)));
    expect(await tooMany).toMatchObject({ code: 'payload-too-large' });
  });
});

test('errors beyond the limit are counted but not stored', async () => {
  const waiting = Array.from({ length: 20 }, (_, index) => ({
    type: 'issuance',
    accountHolderBusinessId: 'nobody',
    issuanceId: issuanceIdOf(index),
  }));
  const done = await registry.importFile(`${'x\n'.repeat(1_000)}${ndjson(...waiting)}`);
  expect(counts(done)).toEqual({ status: 'COMPLETED', read: 1_020, applied: 0, failed: 1_020 });
  expect(done.errorsStored).toBe(String(MAX_ERRORS));
  const { total, errors } = await registry.listErrors(done.importId, { limit: 100 });
  expect([total, errors.length, errors.at(-1)?.line]).toEqual([String(MAX_ERRORS), MAX_ERRORS, '50']);
});

test('a file without its end marker is incomplete', async () => {
  async function* withoutEnd(): AsyncGenerator<Part> {
    for await (const part of partsOf(ndjson(holderLine('CUT-1')), NDJSON)) if (part.part !== 'end') yield part;
  }
  async function* wrongEnd(): AsyncGenerator<Part> {
    yield* withoutEnd();
    yield { end: { bytes: 1 }, part: 'end' };
  }
  for (const parts of [withoutEnd, wrongEnd]) {
    expect(await catchFailure(registry.startImport(parts()))).toMatchObject({ code: 'unavailable' });
    const { importId } = await eventually(async () => {
      const found = await newest();
      return found?.status === 'FAILED' && found;
    }, 'an import that failed');
    expect(await registry.errorsOf(importId)).toMatchObject([{ line: 1, code: 'upload-incomplete' }]);
  }
  expect(await registry.create(holderContent('CUT-1'))).toMatchObject({ created: true });
});

test('concurrent imports of one key respect the limit', async () => {
  const client = await callAs('gateway', 'registryImport', registry.service.address);
  const goOn = Promise.withResolvers<void>();
  async function* slow(): AsyncGenerator<Part> {
    yield { header: NDJSON, part: 'header' };
    await goOn.promise;
    yield { end: { bytes: 0 }, part: 'end' };
  }
  const keyOf = async (keyId: string) => ({
    principalToken: await principalToken({ kind: 'registry', keyId, accountHolderId: 'h' }),
    timeoutMs: 60_000,
  });
  const [key, other] = [await keyOf('busy'), await keyOf('other')];
  const codes: string[] = [];
  const attempts = Array.from({ length: 12 }, () =>
    client.StartImport(slow(), key).catch((error: { code: string }) => void codes.push(error.code)),
  );
  await eventually(() => Promise.resolve(codes.length === 12 - MAX_WAITING), 'the refusals');
  const ofAnother = client.StartImport(slow(), other);
  goOn.resolve();
  const started = (await Promise.all([...attempts, ofAnother])).filter((each) => each !== undefined);
  expect(new Set(codes)).toEqual(new Set(['rate-limited']));
  expect(started).toHaveLength(MAX_WAITING + 1);
  for (const { importId } of started) await registry.finished(importId);
  const next = await client.StartImport(partsOf('', NDJSON), key);
  await registry.finished(next.importId);
  client.close();
});

test('account holders are not stored under an ended lease', async () => {
  const { importId } = await registry.importFile('');
  const url = registry.service.databaseUrl;
  const database = await openTestDatabase({ url, poolMax: 2, ...schema });
  const holder = { ...holderContent('LATE-1'), address: { ...holderContent('x').address }, autoApproval: true };
  const line = { line: 1, read: { type: 'account-holder', holder } } as const;
  const lease = { importId, owner: 'somebody', number: '1', leaseMs: 1_000 };
  const work = { lease, holder: 'h1', actor: serviceActor('registry-import') };
  const applied = applyLines({ database } as never, [line], work, new AbortController().signal);
  expect(await catchFailure(applied)).toMatchObject({ name: 'LeaseLost' });
  expect(await registry.service.sql("select 1 from account_holder where business_id = 'LATE-1'")).toEqual([]);
  await database.stop();
});
