import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { catchFailure } from '@saleschannel/testing';
import { holderContent } from './support/records.ts';
import { startRegistryImport, type RegistryImport } from './support/registry-import.ts';

let registry: RegistryImport;
beforeAll(async () => {
  registry = await startRegistryImport();
});
afterAll(() => registry.stop());

test('GetAccountHolders answers tasks, and omits unknown ids', async () => {
  const directory = await registry.directory('tasks');
  const [first, second] = [await registry.createHolder('DIR-1'), await registry.createHolder('DIR-2')];
  const { accountHolders } = await directory.GetAccountHolders({
    accountHolderIds: [first, second, 'unknown', 'a\0b', first],
  });
  const ids = accountHolders.map(({ accountHolderId }) => accountHolderId);
  expect(ids.toSorted()).toEqual([first, second].toSorted());
  expect((await directory.GetAccountHolders({})).accountHolders).toEqual([]);
  directory.close();
});

test('invalid-request: too many ids', async () => {
  const directory = await registry.directory('tasks');
  const accountHolderIds = Array.from({ length: 10_001 }, String);
  const error = await catchFailure(directory.GetAccountHolders({ accountHolderIds }));
  expect(error).toMatchObject({ code: 'invalid-request' });
  directory.close();
});

test('EnsureAccountHolder creates once, and refuses other content', async () => {
  const directory = await registry.directory('admin');
  const ensure = (businessId: string, name?: string) =>
    directory.EnsureAccountHolder({ content: holderContent(businessId, name) });
  const first = await ensure('ENSURE-1');
  expect(await ensure('ENSURE-1')).toEqual(first);
  expect(await catchFailure(ensure('ENSURE-1', 'Other'))).toMatchObject({ code: 'request-refused' });
  expect(await catchFailure(ensure(''))).toMatchObject({ code: 'invalid-request' });
  directory.close();
});

test.each(['gateway', 'events', 'traders'] as const)('forbidden: %s', async (caller) => {
  const directory = await registry.directory(caller);
  expect(await catchFailure(directory.GetAccountHolders({}))).toMatchObject({ code: 'forbidden' });
  const content = holderContent('X');
  expect(await catchFailure(directory.EnsureAccountHolder({ content }))).toMatchObject({ code: 'forbidden' });
  directory.close();
});
