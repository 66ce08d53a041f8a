import { afterAll, beforeAll, test } from '@jest/globals';
import { smallestPools, proveOwnConnections } from '@saleschannel/testing';
import { startRbac, type Rbac } from './support/rbac.ts';

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
