import { expect, test } from '@jest/globals';
import { generateServiceKeys, readOwner } from '@saleschannel/auth';
import { permissionsOf, queues } from '@saleschannel/messaging';
import {
  ADMIN,
  AUDITOR,
  AUDITOR_ROLE,
  brokerDefinitions,
  brokerPrograms,
  toBrokerUrl,
  brokerUsers,
  completeSecrets,
  databaseRoles,
  databaseServices,
  toDatabaseUrl,
  environmentOf,
  programsWithKey,
  NAMESPACE,
  parseSecrets,
  rolesFile,
  rotate,
  type KnownSecrets,
  type Secrets,
  addListener,
  removeListener,
} from '../src/index.ts';

const TYPE = 'inventory.transaction.status-changed.v1';

test('a listener keeps its password, rotates with the others, and can be removed', async () => {
  const secrets = await completeSecrets(addListener({}, `billing=${TYPE}`));
  const kept = parseSecrets(JSON.stringify(secrets));
  const password = secrets.brokerPasswords['billing'];
  expect(password).toMatch(/^[\w-]{40,}$/);
  const again = await completeSecrets(addListener(kept, `billing=${TYPE},inventory.transfer.reported.v1`));
  expect(again.brokerPasswords['billing']).toBe(password);
  expect(again.brokerListeners).toEqual({ billing: [TYPE, 'inventory.transfer.reported.v1'] });
  const rotated = await rotate(again, 'broker', undefined);
  expect(rotated.brokerPasswords['billing']).toMatch(/^[\w-]{40,}$/);
  expect(rotated.brokerPasswords['billing']).not.toBe(password);
  const removed = await completeSecrets(removeListener(again, 'billing'));
  expect(JSON.stringify(removed)).not.toContain('billing');
  expect(JSON.stringify(brokerDefinitions(removed))).not.toContain('billing');
});

test('definitions of the broker limit a listener to its events', async () => {
  const definitions = brokerDefinitions(await completeSecrets(addListener({}, `billing=${TYPE}`)));
  expect(definitions).toMatchObject({
    permissions: expect.arrayContaining([
      {
        user: 'billing',
        vhost: 'saleschannel',
        configure: String.raw`^billing\..*$`,
        write: String.raw`^billing\..*$`,
        read: String.raw`^(billing\..*|saleschannel\.events)$`,
      },
    ]) as unknown,
    topic_permissions: [
      {
        user: 'billing',
        vhost: 'saleschannel',
        exchange: 'saleschannel.events',
        write: '^$',
        read: String.raw`^(inventory\.transaction\.status-changed\.v1)$`,
      },
    ],
  });
});

test.each([
  ['the name of a service', `tasks=${TYPE}`],
  ['the prefix of all names of the system', `saleschannel=${TYPE}`],
  ['a pattern', `.*=${TYPE}`],
  ['none', `=${TYPE}`],
])('a name is refused: %s', (_what, listener) => {
  expect(() => addListener({}, listener)).toThrow('cannot be the name');
});

test.each([['billing'], ['billing='], ['billing=#'], ['billing=inventory.transaction.status-changed.v9']])(
  'events are refused: %s',
  (listener) => expect(() => addListener({}, listener)).toThrow('must name events'),
);

test('removing an unknown listener fails', () => {
  expect(() => removeListener({}, 'billing')).toThrow('no listener');
});

const secrets = await completeSecrets({});

test('each holder has a key pair, and the public keys contain no private part', () => {
  const { privateKeys, publicKeys } = secrets.serviceKeys;
  expect(Object.keys(privateKeys).toSorted()).toEqual(programsWithKey.toSorted());
  expect(publicKeys.keys.map(({ kid = '' }) => readOwner(kid)).toSorted()).toEqual(programsWithKey.toSorted());
  expect(publicKeys.keys.filter((key) => 'd' in key)).toEqual([]);
});

test('existing secrets stay, byte for byte', async () => {
  const text = JSON.stringify(secrets);
  expect(JSON.stringify(await completeSecrets(parseSecrets(text)))).toBe(text);
});

test('missing secrets of a new service are generated', async () => {
  const { identity, ...otherPasswords } = secrets.databasePasswords;
  const completed = await completeSecrets({ ...secrets, databasePasswords: otherPasswords });
  expect(completed.databasePasswords).toMatchObject(otherPasswords);
  expect(completed.databasePasswords['identity']).not.toBe(identity);
});

test('the file of a local stack of the first release is read and completed', async () => {
  const earlier = {
    serviceKeys: await generateServiceKeys(programsWithKey),
    databasePasswords: Object.fromEntries(databaseServices.map((name) => [name, `database-${name}`])),
    brokerPasswords: Object.fromEntries(brokerPrograms.map((name) => [name, `broker-${name}`])),
    apiKeyPepper: Buffer.alloc(32, 1).toString('base64'),
  };
  expect(await completeSecrets(parseSecrets(JSON.stringify(earlier)))).toMatchObject(earlier);
});

test('a file with other content is refused', () => {
  expect(() => parseSecrets('{"serviceKeys":"none"}')).toThrow();
});

test('a rotation changes only its own secret', async () => {
  const { brokerPasswords, brokerSalts, ...others } = secrets;
  const rotated = await rotate(secrets, 'broker');
  expect(rotated).toMatchObject(others);
  expect(rotated.brokerPasswords['tasks']).not.toBe(brokerPasswords['tasks']);
  expect(rotated.brokerSalts).not.toEqual(brokerSalts);
  await expect(rotate(secrets, 'everything')).rejects.toThrow(
    'service-keys, pepper, tls-authority, database, broker, statement-key, tls, portal-cookies, console-cookies',
  );
  await expect(rotate(secrets, 'broker', 'prepare')).rejects.toThrow('at once');
});

test('a new statement key keeps the public half of the previous one', async () => {
  const { current } = secrets.statementKeys;
  const once = await rotate(secrets, 'statement-key');
  const twice = await rotate(once, 'statement-key');
  const { d: _private, ...first } = current;
  expect(twice.statementKeys.former.map(({ kid }) => kid)).toEqual([once.statementKeys.current.kid, current.kid]);
  expect(twice.statementKeys.former[1]).toEqual(first);
  expect(() =>
    environmentOf('inventory')['STATEMENT_KEYS']?.schema.parse(JSON.stringify(twice.statementKeys)),
  ).not.toThrow();
});

/** Parses the file, because each step is a separate command. */
const afterwards = async (known: KnownSecrets, rotation: string, step: string): Promise<Secrets> =>
  parseSecrets(JSON.stringify(await rotate(known, rotation, step))) as Secrets;

test('service keys rotate in three steps, and all programs know the current keys at each', async () => {
  const { serviceKeys: before, ...others } = secrets;
  const prepared = await afterwards(secrets, 'service-keys', 'prepare');
  expect(prepared).toMatchObject({ ...others, serviceKeys: { privateKeys: before.privateKeys } });
  expect(prepared.serviceKeys.publicKeys.keys).toHaveLength(2 * programsWithKey.length);

  const switched = await afterwards(prepared, 'service-keys', 'switch');
  expect(switched.serviceKeys.publicKeys).toEqual(prepared.serviceKeys.publicKeys);
  expect(switched.serviceKeys.privateKeys).toEqual(prepared.serviceKeys.nextPrivateKeys);
  expect(switched.serviceKeys.nextPrivateKeys).toBeUndefined();

  const finished = await afterwards(switched, 'service-keys', 'finish');
  expect(finished.serviceKeys.privateKeys).toEqual(switched.serviceKeys.privateKeys);
  const known = finished.serviceKeys.publicKeys.keys.map(({ x }) => x);
  expect(known.toSorted()).toEqual(
    Object.values(finished.serviceKeys.privateKeys)
      .map(({ x }) => x)
      .toSorted(),
  );
  expect(Object.values(before.privateKeys).filter(({ x }) => known.includes(x))).toEqual([]);
});

test('the pepper rotates in three steps, and earlier ones stay until the last step', async () => {
  const first = secrets.apiKeyPepper;
  const prepared = await afterwards(secrets, 'pepper', 'prepare');
  const [old, next = ''] = prepared.apiKeyPepper.split(',');
  expect(old).toBe(`1:${first}`);
  expect(next).toMatch(/^2:/);
  const switched = await afterwards(prepared, 'pepper', 'switch');
  expect(switched.apiKeyPepper).toBe(`${next},1:${first}`);
  const finished = await afterwards(switched, 'pepper', 'finish');
  expect(finished.apiKeyPepper).toBe(next);
  expect((await afterwards(finished, 'pepper', 'prepare')).apiKeyPepper).toMatch(/^2:[^,]+,3:/);
  for (const { apiKeyPepper } of [prepared, switched, finished])
    expect(() => environmentOf('identity')['API_KEY_PEPPER']?.schema.parse(apiKeyPepper)).not.toThrow();
});

test.each(['service-keys', 'pepper'])('steps of %s out of their order are refused', async (rotation) => {
  const prepared = await rotate(secrets, rotation, 'prepare');
  const switched = await rotate(prepared, rotation, 'switch');
  await expect(rotate(secrets, rotation, 'switch')).rejects.toThrow('"prepare" comes first');
  await expect(rotate(prepared, rotation, 'finish')).rejects.toThrow('"switch" is next');
  await expect(rotate(prepared, rotation, 'prepare')).rejects.toThrow('is next');
  await expect(rotate(switched, rotation, 'prepare')).rejects.toThrow('"finish" is next');
  await expect(rotate(secrets, rotation)).rejects.toThrow('--step prepare, then switch, then finish');
  await expect(rotate(secrets, rotation, 'begin')).rejects.toThrow('--step prepare, then switch, then finish');
});

test('a new service gets its key during a rotation', async () => {
  const prepared = await rotate(secrets, 'service-keys', 'prepare');
  const { events, ...privateKeys } = prepared.serviceKeys.privateKeys;
  const { events: next, ...nextPrivateKeys } = prepared.serviceKeys.nextPrivateKeys ?? {};
  const keys = prepared.serviceKeys.publicKeys.keys.filter(({ x }) => x !== events?.x && x !== next?.x);
  const serviceKeys = { privateKeys, nextPrivateKeys, publicKeys: { keys } };
  const switched = await rotate({ ...prepared, serviceKeys }, 'service-keys', 'switch');
  const key = switched.serviceKeys.privateKeys['events'];
  expect(switched.serviceKeys.publicKeys.keys.map(({ x }) => x)).toContain(key?.x);
});

test('each service has its own role, database and password', () => {
  const roles = databaseRoles(secrets);
  expect(roles.map(({ service }) => service)).toEqual(databaseServices);
  expect(new Set(roles.map(({ password }) => password)).size).toBe(roles.length);
  expect(new Set(roles.map(({ ownerPassword }) => ownerPassword)).size).toBe(roles.length);
  const [monitor, auditor, ...lines] = rolesFile(secrets).trimEnd().split('\n');
  expect(monitor).toBe(`saleschannel_monitor ${secrets.databaseMonitorPassword}`);
  expect(auditor).toBe(`${AUDITOR_ROLE} ${secrets.databaseAuditorPassword}`);
  expect(lines).toEqual(
    roles.map(({ role, password, ownerPassword }) => `${role} ${password} ${role}_owner ${ownerPassword}`),
  );
  const url = new URL(toDatabaseUrl('registry-import', secrets, 'postgres://x:y@db:5432/postgres?sslmode=require'));
  expect(url).toMatchObject({
    username: 'saleschannel_registry_import',
    password: secrets.databasePasswords['registry-import'],
    host: 'db:5432',
    pathname: '/saleschannel_registry_import',
    search: '?sslmode=require',
  });
});

test('each broker user has rights on its own queues and the exchanges only', () => {
  const users = brokerUsers(secrets);
  expect(users.map(({ name }) => name)).toEqual(brokerPrograms);
  expect(users.find(({ name }) => name === AUDITOR)).toMatchObject({ configure: '^$', write: '^$', read: '^$' });
  const overDeadLetters = users.find(({ name }) => name === 'console');
  expect(overDeadLetters?.configure).toBe('^$');
  for (const queue of Object.keys(queues)) {
    const reads = new RegExp(String(overDeadLetters?.read));
    expect([queue, `${queue}.dead-letters`].map((name) => reads.test(`${NAMESPACE}.${name}`))).toEqual([false, true]);
  }
  const owners = users.filter(({ name }) => ![ADMIN, AUDITOR, 'console'].includes(name));
  for (const { name, configure, write, read } of owners) {
    expect({ configure, write, read }).toEqual(permissionsOf(name, NAMESPACE));
    for (const queue of Object.keys(queues))
      expect(new RegExp(read).test(`${NAMESPACE}.${queue}`)).toBe(queue.startsWith(`${name}.`));
  }
  expect(toBrokerUrl('tasks', secrets, 'amqps://mq:5671')).toBe(
    `amqps://tasks:${secrets.brokerPasswords['tasks']}@mq:5671/saleschannel`,
  );
});

test('definitions of the broker contain password hashes that never change', () => {
  const text = JSON.stringify(brokerDefinitions(secrets));
  expect(JSON.stringify(brokerDefinitions(secrets))).toBe(text);
  for (const password of Object.values(secrets.brokerPasswords)) expect(text).not.toContain(password);
});
