import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTemporaryFolder, removeFolder, startRabbitMq, type RunningRabbitMq } from '@saleschannel/local-backends';
import { createAuthority, issueCertificate, type TlsCertificate } from '@saleschannel/auth/pki';
import { readEnvironment, silentLogger, type Logger } from '@saleschannel/runtime';
import { eventually, catchFailure } from '@saleschannel/testing';
import { brokerEnvironment, brokerUrl, createServiceBroker, QueueLevels, withDeadLetters } from '../src/index.ts';

/** A broker with a certificate of a private CA, and a file with that CA. */

let folder: string;
let authority: TlsCertificate;
let rabbit: RunningRabbitMq;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  authority = await createAuthority('servers');
  rabbit = await startRabbitMq({
    dataDirectory: join(folder, 'rabbitmq'),
    users: [{ name: 'inventory', password: 'inventory', configure: '.*', write: '.*', read: '.*' }],
    vhost: '/',
    log: () => undefined,
    removeWhenOrphaned: true,
    tls: await issueCertificate(authority, { program: 'localhost' }),
  });
}, 120_000);
afterAll(async () => {
  await rabbit.stop();
  removeFolder(folder);
});

function readValues(authorities: string | undefined, host = 'localhost') {
  const address = new URL(rabbit.url('inventory').replace(/^amqp:/, 'amqps:'));
  address.host = `${host}:${rabbit.tlsPort}`;
  const file = authorities === undefined ? undefined : join(folder, 'authorities.crt');
  if (file && authorities) writeFileSync(file, authorities);
  return readEnvironment(brokerEnvironment, { AMQP_URL: address.href, AMQP_CA_FILE: file });
}

/** Connects as an operator's command does. */
const connect = (values: ReturnType<typeof readValues>): Promise<string> =>
  withDeadLetters(brokerUrl(values), values.AMQP_NAMESPACE, () => Promise.resolve('connected'));

test('every connection uses TLS with a broker that the private CA certifies', async () => {
  const values = readValues(authority.certificate);
  expect(await connect(values)).toBe('connected');
  const levels = new QueueLevels(brokerUrl(values), values.AMQP_NAMESPACE);
  expect((await levels.read()).length).toBeGreaterThan(0);
  levels.close();
  const broker = createServiceBroker('inventory', values, silentLogger);
  let isSetUp = false;
  broker.use(() => Promise.resolve(void (isSetUp = true)));
  await broker.start();
  await eventually(() => Promise.resolve(isSetUp), 'a channel');
  await broker.stop();
});

test('a broker of an unknown CA or with another name is refused', async () => {
  const foreign = await createAuthority('strangers');
  expect(String(await catchFailure(connect(readValues(foreign.certificate))))).toMatch(/certificate/);
  // Without the file, the public CAs apply.
  expect(String(await catchFailure(connect(readValues(undefined))))).toMatch(/certificate/);
  expect(String(await catchFailure(connect(readValues(authority.certificate, '127.0.0.1'))))).toMatch(/altnames/);
});

test('a service logs why it has no broker, and keeps trying', async () => {
  const { certificate } = await createAuthority('strangers');
  const warned: string[] = [];
  const logger = { ...silentLogger, warn: (text: string) => warned.push(text) } as unknown as Logger;
  const broker = createServiceBroker('inventory', readValues(certificate), logger);
  await broker.start();
  await eventually(() => Promise.resolve(warned.length > 1), 'two attempts');
  await broker.stop();
  for (const text of warned) expect(text).toMatch(/is unreachable: .*certificate/);
});
