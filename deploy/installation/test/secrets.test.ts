import { expect, test } from '@jest/globals';
import { generateServiceKeys } from '@saleschannel/auth';
import { permissionsOf, queues } from '@saleschannel/messaging';
import {
  ADMIN,
  brokerDefinitions,
  brokerServices,
  brokerUrlOf,
  brokerUsers,
  completeSecrets,
  databaseRoles,
  databaseServices,
  databaseUrlOf,
  forget,
  keyHolders,
  NAMESPACE,
  parseSecrets,
  rolesFile,
} from '../src/index.ts';

const secrets = await completeSecrets({});

test('there is a key pair for each holder, and the public keys hold no private part', () => {
  const { privateKeys, publicKeys } = secrets.serviceKeys;
  expect(Object.keys(privateKeys).toSorted()).toEqual(keyHolders.toSorted());
  expect(publicKeys.keys.map(({ kid }) => kid).toSorted()).toEqual(keyHolders.toSorted());
  expect(publicKeys.keys.filter((key) => 'd' in key)).toEqual([]);
});

test('what is known stays, byte for byte', async () => {
  const text = JSON.stringify(secrets);
  expect(JSON.stringify(await completeSecrets(parseSecrets(text)))).toBe(text);
});

test('what is missing is drawn, for a service that is new', async () => {
  const { identity, ...otherPasswords } = secrets.databasePasswords;
  const completed = await completeSecrets({ ...secrets, databasePasswords: otherPasswords });
  expect(completed.databasePasswords).toMatchObject(otherPasswords);
  expect(completed.databasePasswords['identity']).not.toBe(identity);
});

test('the file of a local stack of the first release is read and completed', async () => {
  const earlier = {
    serviceKeys: await generateServiceKeys(keyHolders),
    databasePasswords: Object.fromEntries(databaseServices.map((name) => [name, `database-${name}`])),
    brokerPasswords: Object.fromEntries([...brokerServices, ADMIN].map((name) => [name, `broker-${name}`])),
    apiKeyPepper: Buffer.alloc(32, 1).toString('base64'),
  };
  expect(await completeSecrets(parseSecrets(JSON.stringify(earlier)))).toMatchObject(earlier);
});

test('a file that holds something else is refused', () => {
  expect(() => parseSecrets('{"serviceKeys":"none"}')).toThrow();
});

test('a rotation forgets its part and nothing else', async () => {
  const { brokerPasswords, brokerSalts, ...others } = secrets;
  const rotated = await completeSecrets(forget(secrets, 'broker'));
  expect(rotated).toMatchObject(others);
  expect(rotated.brokerPasswords['tasks']).not.toBe(brokerPasswords['tasks']);
  expect(rotated.brokerSalts).not.toEqual(brokerSalts);
  expect(() => forget(secrets, 'everything')).toThrow('service-keys, database, broker, pepper');
});

test('each service has a role and a database of its own, with a password of its own', () => {
  const roles = databaseRoles(secrets);
  expect(roles.map(({ service }) => service)).toEqual(databaseServices);
  expect(new Set(roles.map(({ password }) => password)).size).toBe(roles.length);
  expect(rolesFile(secrets)).toBe(roles.map(({ role, password }) => `${role} ${password}\n`).join(''));
  const url = new URL(databaseUrlOf('registry-import', secrets, 'postgres://x:y@db:5432/postgres?sslmode=require'));
  expect(url).toMatchObject({
    username: 'saleschannel_registry_import',
    password: secrets.databasePasswords['registry-import'],
    host: 'db:5432',
    pathname: '/saleschannel_registry_import',
    search: '?sslmode=require',
  });
});

test('each broker user may touch its own queues and the exchanges only', () => {
  const users = brokerUsers(secrets);
  expect(users.map(({ name }) => name)).toEqual([...brokerServices, ADMIN]);
  for (const { name, configure, write, read } of users.filter(({ name }) => name !== ADMIN)) {
    expect({ configure, write, read }).toEqual(permissionsOf(name, NAMESPACE));
    for (const queue of Object.keys(queues))
      expect(new RegExp(read).test(`${NAMESPACE}.${queue}`)).toBe(queue.startsWith(`${name}.`));
  }
  expect(brokerUrlOf('tasks', secrets, 'amqps://mq:5671')).toBe(
    `amqps://tasks:${secrets.brokerPasswords['tasks']}@mq:5671/saleschannel`,
  );
});

test('the broker is told hashes of passwords, the same ones each time', () => {
  const text = JSON.stringify(brokerDefinitions(secrets));
  expect(JSON.stringify(brokerDefinitions(secrets))).toBe(text);
  for (const password of Object.values(secrets.brokerPasswords)) expect(text).not.toContain(password);
});
