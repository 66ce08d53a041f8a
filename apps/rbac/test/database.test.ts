import { afterAll, beforeAll, test } from '@jest/globals';
import { smallestPools, proveOwnConnections } from '@saleschannel/testing';
import { schemaTests } from '@saleschannel/testing/schema-tests';
import { schema } from '../src/store/schema.ts';
import { startRbac, type Rbac } from './support/rbac.ts';

schemaTests(new URL('../src/store/', import.meta.url), schema);

let rbac: Rbac;
beforeAll(async () => {
  rbac = await startRbac(smallestPools);
});
afterAll(() => rbac.stop());

test('the probe is answered while calls occupy all of their connections', async () => {
  const user = await rbac.member(await rbac.newChannel(), 'ASSET_VIEWER');
  await proveOwnConnections({
    service: rbac.service,
    table: 'binding',
    call: () => rbac.bindingOf(user),
  });
});
