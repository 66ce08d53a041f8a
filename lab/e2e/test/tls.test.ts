import { connect as connectPlain, type Socket } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { databaseNames, type DatabaseName } from '@saleschannel/auditor';
import { createAuthority, issueCertificate, type TlsCertificate } from '@saleschannel/auth/pki';
import { createClient, createHealthProbe } from '@saleschannel/grpc';
import { addressOf } from '@saleschannel/installation';
import { createProgramCredentials } from '@saleschannel/local';
import { catchFailure } from '@saleschannel/testing';
import type { System } from '../src/system.ts';
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
import { auditSystem, useOwnSystem } from './support/system.ts';

/** Connections of strangers to a service: by socket, with any certificate. */

const TIMEOUT_MS = 60_000;
/** Preface of an HTTP/2 client (RFC 9113, section 3.4), with empty SETTINGS. */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
/** Type of a server's first HTTP/2 frame. */
const SETTINGS = 4;

/** Errors of a client that was still writing when the server closed. */
const ENDS = ['ECONNRESET', 'EPIPE'];

/** `http2` if the service answers, otherwise the code of the error, or `closed`. */
function awaitOutcome(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    // A limit for a service that neither answers nor closes.
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(new Error('The service neither answered nor closed the connection.')),
    );
    socket.on('data', (bytes: Buffer) => {
      if (bytes[3] !== SETTINGS) return;
      resolve('http2');
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === undefined) reject(error);
      else resolve(ENDS.includes(error.code) ? 'closed' : error.code);
    });
    socket.on('close', () => resolve('closed'));
    socket.write(PREFACE);
  });
}

function parseAddress(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(`tcp://${address}`);
  return { host: hostname, port: Number(port) };
}

/** @param options the client's certificate, and the authorities that it trusts */
const connectTls = (address: string, options: ConnectionOptions): Promise<string> =>
  awaitOutcome(
    connect({ ...parseAddress(address), ALPNProtocols: ['h2'], checkServerIdentity: () => undefined, ...options }),
  );

const connectInPlaintext = (address: string): Promise<string> => {
  const { host, port } = parseAddress(address);
  return awaitOutcome(connectPlain(port, host));
};

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
