import { promises as dns } from 'node:dns';
import { afterEach, expect, jest, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { replicasOf, type Replicas } from './support/replicas.ts';
import { rbacClient, startRbac, type Rbac } from './support/rbac.ts';
import { credentialsOf } from './support/tls.ts';

const running: Rbac[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

/** Far less than in earnest, and far more than a call takes on a busy machine: that may be refused once, not again. */
const AGE_MS = 500;
const GRACE_MS = 60_000;

async function addReplica(replicas: Replicas, slow?: Promise<void>): Promise<Rbac> {
  const server = await startRbac({ connections: { ageMs: AGE_MS, graceMs: GRACE_MS }, ...(slow && { slow }) });
  running.push(server);
  replicas.add(server.address);
  return server;
}

test('a replica that is new takes calls, none fails, and one under way is answered', async () => {
  const replicas = replicasOf('rbac');
  const slow = Promise.withResolvers<void>();
  const first = await addReplica(replicas, slow.promise);
  const client = rbacClient(replicas.name, await credentialsOf('traders', undefined));
  const underWay = client.GetSalesChannel({ salesChannelId: 'slow' }, { timeoutMs: GRACE_MS });
  await eventually(() => Promise.resolve(first.calls === 1), 'the call that is under way');

  const second = await addReplica(replicas);
  let answered = 0;
  await eventually(async () => {
    await client.GetSalesChannel({ salesChannelId: 'c1' });
    answered += 1;
    return second.calls >= 20;
  }, 'calls at the new replica');
  expect(first.calls + second.calls).toBe(answered + 1);

  slow.resolve();
  expect(await underWay).toMatchObject({ id: 'slow' });
  client.close();
});

test('a client does not ask the name server how to call', async () => {
  const asked = jest.spyOn(dns, 'resolveTxt');
  const server = await startRbac();
  running.push(server);
  const client = rbacClient(
    server.address.replace('127.0.0.1', 'localhost'),
    await credentialsOf('traders', undefined),
  );
  expect(await client.GetSalesChannel({ salesChannelId: 'c1' })).toMatchObject({ id: 'c1' });
  client.close();
  expect(asked).not.toHaveBeenCalled();
});
