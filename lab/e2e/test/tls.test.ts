import { beforeAll, describe, expect, test } from '@jest/globals';
import { databaseNames, type DatabaseName } from '@saleschannel/auditor';
import { createClient, createHealthProbe } from '@saleschannel/grpc';
import { addressOf } from '@saleschannel/installation';
import { createProgramCredentials } from '@saleschannel/local';
import { createAuthority, issueCertificate, type TlsCertificate } from '@saleschannel/auth/pki';
import { catchFailure } from '@saleschannel/testing';
import type { System } from '../src/system.ts';
import { connectTls, connectInPlaintext } from './support/handshakes.ts';
import { auditSystem, useOwnSystem } from './support/system.ts';
import {
  listBundles,
  createTrader,
  waitForEvent,
  issue,
  operator,
  readTransaction,
  seller,
  runTransfer,
} from './support/api.ts';

/** The whole system works with TLS between its services, and they reject all other connections. */

const running = useOwnSystem({ tls: true });
let system: System;
beforeAll(() => {
  system = running();
});

const addressIn = (service: DatabaseName): string => addressOf(service, system.place);
const toOptions = ({ certificate: cert, privateKey: key }: TlsCertificate) => ({ cert, key });

test('a trader, an issuance, a trade and its event pass through all services', async () => {
  const [channel] = system.channels;
  const client = system.createClient(operator(channel));
  expect(await system.createClient('nobody').ok('GET', '/readyz')).toEqual({ status: 'ready' });
  const buyerId = await createTrader(client);
  const { issuanceId, range } = await issue(system, channel);
  const assets = [{ ...range(1, 40), unitPrice: 12.5 }];
  const task = await runTransfer(client, seller(channel).id, 'trade', { buyerId, currency: 'EUR', assets });
  expect(task).toMatchObject({ status: 'SUCCESS' });
  const { id = '' } = task.responsePayload;
  expect(await waitForEvent(client, id)).toMatchObject({ payload: { transactionId: id, status: 'SUCCESS' } });
  expect(await readTransaction(client, id)).toMatchObject({ sellerId: seller(channel).id, buyerId });
  expect(await listBundles(client, buyerId, issuanceId)).toEqual([{ ...range(1, 40), volume: 40 }]);
  const reports = await system.reconciliation.run({ salesChannelId: undefined, status: true, wait: false });
  expect(reports.map(({ fault }) => fault)).toEqual([undefined, undefined]);
  await auditSystem(system);
});

describe.each(databaseNames)('%s', (service) => {
  test('accepts a certificate of the installation', async () => {
    const { certificate: ca } = system.tlsAuthority;
    const issued = await issueCertificate(system.tlsAuthority, { program: 'gateway' });
    expect(await connectTls(addressIn(service), { ca, ...toOptions(issued) })).toBe('http2');
  });

  test('rejects a client without a certificate', async () => {
    const { certificate: ca } = system.tlsAuthority;
    expect(await connectTls(addressIn(service), { ca })).toBe('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED');
  });

  test('rejects a certificate of another authority, even with the same name', async () => {
    const { certificate: ca } = system.tlsAuthority;
    for (const name of ['stranger', 'saleschannel']) {
      const issued = await issueCertificate(await createAuthority(name), { program: 'gateway' });
      expect(await connectTls(addressIn(service), { ca, ...toOptions(issued) })).toBe('closed');
    }
  });

  test('rejects plaintext', async () => {
    expect(await connectInPlaintext(addressIn(service))).toBe('closed');
  });

  test('is accepted under its own name only', async () => {
    const { tls: own } = await createProgramCredentials('gateway', system);
    if (!own) throw new Error('The gateway has no certificate.');
    const isServingAs = async (receiver: string, timeoutMs: number): Promise<boolean> => {
      const probe = createHealthProbe(addressIn(service), { tls: { own, receiver } });
      return probe.isServing(timeoutMs).finally(() => probe.close());
    };
    expect(await isServingAs(service, 15_000)).toBe(true);
    expect(await isServingAs(service === 'rbac' ? 'tasks' : 'rbac', 500)).toBe(false);
  });
});

test("a token is accepted only with its own program's certificate", async () => {
  const address = addressIn('rbac');
  const [admin, gateway] = [
    await createProgramCredentials('admin', system),
    await createProgramCredentials('gateway', system),
  ];
  const list = async (tls: typeof admin.tls): Promise<unknown> => {
    const client = createClient('rbacAdministration', {
      address,
      tokens: { getToken: (name) => admin.getToken(name), tls },
    });
    return client.ListSalesChannels({}).finally(() => client.close());
  };
  expect(await list(admin.tls)).toHaveProperty('salesChannels');
  expect(await catchFailure(list(gateway.tls))).toMatchObject({ code: 'unauthenticated' });
  expect(await catchFailure(list(undefined))).toMatchObject({ code: 'unavailable' });
});

test("no service accepts another program at a service's address", async () => {
  const tokens = await createProgramCredentials('gateway', system);
  const client = createClient('ledger', { address: addressIn('rbac'), tokens, timeoutMs: 500 });
  expect(await catchFailure(client.GetIssuance({ issuanceId: 'x' }))).toMatchObject({ code: 'unavailable' });
  client.close();
});
