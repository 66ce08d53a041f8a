import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asRegistry, eventually, catchFailure, callAs } from '@saleschannel/testing';
import { NDJSON, ndjson, partsOf, holderContent, holderLine, type Part } from './support/records.ts';
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
    const failure = await catchFailure(registry.startImport(partsOf('', { contentType: 'application/json' })));
    expect(failure).toMatchObject({ code: 'unsupported-media-type' });
  });

  test.each([
    ['required', { contentType: 'text/csv' }],
    ['enum', { contentType: 'text/csv', type: 'trader' }],
    ['enum', { contentType: 'text/csv', type: '' }],
    ['not-allowed', { contentType: 'application/x-ndjson', type: 'issuance' }],
  ])('invalid-request, %s: %j', async (code, header) => {
    expect(await catchFailure(registry.startImport(partsOf('', header)))).toMatchObject({
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
    expect(await catchFailure(registry.startImport(endless()))).toMatchObject({ code: 'unsupported-media-type' });
    await eventually(async () => isStopped);
  });

  test('invalid-request: no header, or a second one', async () => {
    async function* parts(first: Part, second: Part): AsyncGenerator<Part> {
      yield first;
      yield second;
    }
    const data: Part = { data: Buffer.from('{}'), part: 'data' };
    const header: Part = { header: NDJSON, part: 'header' };
    expect(await catchFailure(registry.startImport(parts(data, data)))).toMatchObject({ code: 'invalid-request' });
    expect(await catchFailure(registry.startImport(parts(header, header)))).toMatchObject({ code: 'invalid-request' });
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
    expect(await catchFailure(registry.startImport(broken()))).toMatchObject({ message: 'The sender disconnected.' });
    expect(counts(await registry.finished(importId))).toEqual({ status: 'FAILED', read: 1, applied: 0, failed: 1 });
    expect(await registry.errorsOf(importId)).toMatchObject([{ line: 1, code: 'upload-incomplete' }]);
    expect(await registry.create(holderContent('BROKEN-0'))).toMatchObject({ created: true });
  });

  test('forbidden: another calling service', async () => {
    const other = await registry.clientOf('tasks');
    const call = other.StartImport(partsOf('', NDJSON), await asRegistry());
    expect(await catchFailure(call)).toMatchObject({ code: 'forbidden' });
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
    expect(await catchFailure(registry.getImport(importId))).toMatchObject({ code: 'not-found' });
    expect(await catchFailure(registry.listErrors(importId, { limit: 1 }))).toMatchObject({ code: 'not-found' });
  });

  test('invalid-request: no such page', async () => {
    const refused = { code: 'invalid-request', violations: [{ parameter: 'limit' }] };
    expect(await catchFailure(registry.listImports({ limit: 0 }))).toMatchObject(refused);
    expect(await catchFailure(registry.listErrors('x', { limit: 500 }))).toMatchObject(refused);
  });
});

describe('an operator', () => {
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
});
