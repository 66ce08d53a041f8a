import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asRegistry, eventually, failureOf } from '@saleschannel/testing';
import { NDJSON, ndjson, partsOf, type Part } from './support/files.ts';
import { holderContent, holderLine } from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport } from './support/registry-import.ts';

let registry: RegistryImport;
beforeAll(async () => {
  // Leases outlast the tests.
  registry = await startRegistryImport({ IMPORT_LEASE_MS: '600000' });
});
afterAll(() => registry.stop());

describe('StartImport', () => {
  test('is PENDING after the upload', async () => {
    const started = await registry.startImport(partsOf(ndjson(holderLine('START-1')), NDJSON));
    expect(counts(started)).toEqual({ status: 'PENDING', read: 0, applied: 0, failed: 0 });
    await registry.finished(started.importId);
  });

  test('unsupported-media-type: JSON', async () => {
    const failure = await failureOf(registry.startImport(partsOf('', { contentType: 'application/json' })));
    expect(failure).toMatchObject({ code: 'unsupported-media-type' });
  });

  test.each([
    ['required', { contentType: 'text/csv' }],
    ['enum', { contentType: 'text/csv', type: 'trader' }],
    ['enum', { contentType: 'text/csv', type: '' }],
    ['not-allowed', { contentType: 'application/x-ndjson', type: 'issuance' }],
  ])('invalid-request, %s: %j', async (code, header) => {
    expect(await failureOf(registry.startImport(partsOf('', header)))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: 'type', code }],
    });
  });

  test('a refused upload is answered at once, and the sender is stopped', async () => {
    let isStopped = false;
    async function* endless(): AsyncGenerator<Part> {
      try {
        yield { header: { contentType: 'application/json' }, part: 'header' };
        for (;;) yield { data: Buffer.alloc(65_536), part: 'data' };
      } finally {
        isStopped = true;
      }
    }
    expect(await failureOf(registry.startImport(endless()))).toMatchObject({ code: 'unsupported-media-type' });
    await eventually(async () => isStopped);
  });

  test('invalid-request: no header, or a second one', async () => {
    async function* parts(first: Part, second: Part): AsyncGenerator<Part> {
      yield first;
      yield second;
    }
    const data: Part = { data: Buffer.from('{}'), part: 'data' };
    const header: Part = { header: NDJSON, part: 'header' };
    expect(await failureOf(registry.startImport(parts(data, data)))).toMatchObject({ code: 'invalid-request' });
    expect(await failureOf(registry.startImport(parts(header, header)))).toMatchObject({ code: 'invalid-request' });
  });

  test('an upload that breaks off: FAILED, and nothing of it applied', async () => {
    let importId = '';
    /** The only PENDING import: those of earlier tests have ended. */
    const pending = async (): Promise<string | undefined> => {
      const [newest] = (await registry.listImports({ limit: 1 })).imports;
      return newest?.status === 'PENDING' ? newest.importId : undefined;
    };
    async function* broken(): AsyncGenerator<Part> {
      const lines = Array.from({ length: 3_000 }, (_, index) => holderLine(`BROKEN-${index}`));
      yield* partsOf(`${ndjson(...lines)}\n`, NDJSON);
      importId = await eventually(pending, 'the upload to be listed');
      throw new Error('The sender disconnected.');
    }
    expect(await failureOf(registry.startImport(broken()))).toMatchObject({ message: 'The sender disconnected.' });
    expect(counts(await registry.finished(importId))).toEqual({ status: 'FAILED', read: 1, applied: 0, failed: 1 });
    expect(await registry.errorsOf(importId)).toMatchObject([{ line: 1, code: 'upload-incomplete' }]);
    expect(await registry.create(holderContent('BROKEN-0'))).toMatchObject({ created: true });
  });

  test('forbidden: another calling service', async () => {
    const other = await registry.clientOf('tasks');
    const call = other.StartImport(partsOf('', NDJSON), await asRegistry());
    expect(await failureOf(call)).toMatchObject({ code: 'forbidden' });
    other.close();
  });
});

describe('ListImports, GetImport, ListImportErrors', () => {
  test('newest first, page by page', async () => {
    const first = await registry.importFile('');
    const second = await registry.importFile('');
    const page = await registry.listImports({ limit: 2 });
    expect(page.imports).toEqual([second, first]);
    const next = await registry.listImports({ limit: 1, offset: 1 });
    expect(next).toMatchObject({ total: page.total, imports: [first] });
    const after = await registry.listImports({ limit: 1, after: String(next.next) });
    const skipped = await registry.listImports({ limit: 1, offset: 2 });
    expect(after.imports).toEqual(skipped.imports);
  });

  test('errors page by page, in the order of the file', async () => {
    const done = await registry.importFile(Array.from({ length: 250 }, () => 'no json').join('\n'));
    const page = await registry.listErrors(done.importId, { limit: 100, offset: 200 });
    expect([page.total, page.errors.length, page.errors[0]?.line]).toEqual(['250', 50, '201']);
  });

  test.each(['unknown', '', 'a\0b'])('not-found: the import %j', async (importId) => {
    expect(await failureOf(registry.getImport(importId))).toMatchObject({ code: 'not-found' });
    expect(await failureOf(registry.listErrors(importId, { limit: 1 }))).toMatchObject({ code: 'not-found' });
  });

  test('invalid-request: no such page', async () => {
    const refused = { code: 'invalid-request', violations: [{ parameter: 'limit' }] };
    expect(await failureOf(registry.listImports({ limit: 0 }))).toMatchObject(refused);
    expect(await failureOf(registry.listErrors('x', { limit: 500 }))).toMatchObject(refused);
  });
});
