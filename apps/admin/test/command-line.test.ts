import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createServiceTokens,
  createTokenVerifier,
  keyHolders,
  privateKeySchema,
  publicKeysSchema,
  roles as allRoles,
} from '@saleschannel/auth';
import { DomainError, invalidRequest, notFound } from '@saleschannel/errors';
import { identityVariables } from '@saleschannel/testing';
import { createdOn, runIn, startAdmin, type Admin } from './support/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());
beforeEach(() => {
  admin.asked.length = 0;
});
afterEach(() => admin.fail(undefined));

/** Runs work with a file of these variables, for `--env-file`. */
async function withEnvironmentFile<T>(environment: NodeJS.ProcessEnv, work: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'admin-'));
  const file = join(folder, 'admin.env');
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(''));
  try {
    return await work(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const user = ['--issuer', 'https://issuer.example', '--subject', 'anna'];
const anna = { issuer: 'https://issuer.example', subject: 'anna' };
const address = ['--postal-code', '00100', '--city', 'Helsinki', '--country', 'FI', '--street1', 'Katu 1'];

describe('requests and answers', () => {
  test('create-sales-channel', async () => {
    const { exitCode, json } = await admin.run('create-sales-channel', '--name', 'Nordic Removals');
    expect({ exitCode, answer: json() }).toEqual({
      exitCode: 0,
      answer: { id: 'channel-1', name: 'Nordic Removals', status: 'ACTIVE' },
    });
  });

  test('list-sales-channels', async () => {
    expect((await admin.run('list-sales-channels')).json()).toEqual([
      { id: 'channel-1', name: 'One', status: 'ACTIVE' },
    ]);
  });

  test('assign-roles creates the user, binds them and grants the roles', async () => {
    const { json } = await admin.run(
      'assign-roles',
      ...user,
      '--sales-channel',
      'channel-1',
      '--roles',
      'EVENT_VIEWER, ASSET_VIEWER',
    );
    expect(json()).toEqual({
      userId: 'user-anna',
      salesChannelId: 'channel-1',
      roles: ['EVENT_VIEWER', 'ASSET_VIEWER'],
    });
    expect(admin.asked.map(({ rpc }) => rpc)).toEqual(['EnsureUser', 'AssignRoles']);
    expect(admin.asked[0]?.request).toEqual(anna);
  });

  test('assign-roles --roles all grants every role', async () => {
    const { json } = await admin.run('assign-roles', ...user, '--sales-channel', 'channel-1', '--roles', 'all');
    expect(json()).toMatchObject({ roles: [...allRoles] });
  });

  test('create-account-holder', async () => {
    const printedAddress = { postalCode: '00100', city: 'Helsinki', country: 'FI', street1: 'Katu 1' };
    const words = ['create-account-holder', '--name', 'Biochar Oy', '--business-id', 'FI-1', ...address];
    const created = {
      accountHolderId: 'holder-1',
      name: 'Biochar Oy',
      businessId: 'FI-1',
      registeredOn: createdOn,
      kind: 'HOLDER',
      status: 'ACTIVE',
    };
    const manual = await admin.run(...words, '--manual-approval');
    expect(manual.json()).toEqual({ ...created, address: printedAddress, autoApproval: false });
    const automatic = await admin.run(...words, '--street2', 'A 2');
    expect(automatic.json()).toEqual({
      ...created,
      address: { ...printedAddress, street2: 'A 2' },
      autoApproval: true,
    });
  });

  test('set-account-holder assigns a user to an account holder, or to none', async () => {
    const known = { id: 'user-anna', issuer: 'i', subject: 's' };
    const into = await admin.run('set-account-holder', ...user, '--account-holder', 'holder-1');
    expect(into.json()).toEqual({ ...known, accountHolderId: 'holder-1' });
    const out = await admin.run('set-account-holder', ...user, '--none');
    expect(out.json()).toEqual(known);
    expect(admin.asked.filter(({ rpc }) => rpc === 'SetAccountHolder').map(({ request }) => request)).toEqual([
      { userId: 'user-anna', accountHolderId: 'holder-1' },
      { userId: 'user-anna' },
    ]);
  });

  test('issue-api-key', async () => {
    const key = {
      userId: 'user-anna',
      id: 'key-1',
      createdOn,
      expiresAt: '2027-01-01T00:00:00.000Z',
      secret: 'the-secret',
    };
    expect((await admin.run('issue-api-key', ...user)).json()).toEqual(key);
  });

  test('issue-registry-key', async () => {
    const { json } = await admin.run(
      'issue-registry-key',
      '--account-holder',
      'holder-1',
      '--expires-at',
      '2027-06-01T00:00:00Z',
    );
    expect(json()).toEqual({
      accountHolderId: 'holder-1',
      id: 'key-1',
      createdOn,
      expiresAt: '2027-06-01T00:00:00Z',
      secret: 'the-secret',
    });
  });

  test('keys generate creates the secrets of a deployment, without any environment', async () => {
    const { exitCode, json } = await runIn({}, 'keys', 'generate');
    expect(exitCode).toBe(0);
    const generated = json() as {
      SERVICE_PUBLIC_KEYS: unknown;
      SERVICE_PRIVATE_KEY: Record<string, unknown>;
      API_KEY_PEPPER: string;
    };
    expect(Object.keys(generated.SERVICE_PRIVATE_KEY)).toEqual([...keyHolders]);
    expect(Buffer.from(generated.API_KEY_PEPPER, 'base64')).toHaveLength(32);
    const verifier = createTokenVerifier(publicKeysSchema.parse(generated.SERVICE_PUBLIC_KEYS), 'rbac');
    for (const name of keyHolders) {
      const tokens = await createServiceTokens(name, privateKeySchema.parse(generated.SERVICE_PRIVATE_KEY[name]));
      expect(await verifier.verifyService(await tokens.getToken('rbac'))).toBe(name);
    }
  });

  test('keys generate --beside creates the keys of a rotation', async () => {
    const { SERVICE_PUBLIC_KEYS: current = '' } = identityVariables('rbac');
    await withEnvironmentFile({}, async (file) => {
      writeFileSync(file, current);
      const { exitCode, json } = await runIn({}, 'keys', 'generate', '--beside', file);
      expect(exitCode).toBe(0);
      const generated = json() as Record<string, Record<string, unknown>>;
      expect(Object.keys(generated)).toEqual([
        'SERVICE_PUBLIC_KEYS',
        'SERVICE_PRIVATE_KEY',
        'SERVICE_PUBLIC_KEYS_AFTERWARDS',
      ]);
      const during = publicKeysSchema.parse(generated['SERVICE_PUBLIC_KEYS']).keys;
      const afterwards = publicKeysSchema.parse(generated['SERVICE_PUBLIC_KEYS_AFTERWARDS']).keys;
      expect(during).toEqual([...publicKeysSchema.parse(JSON.parse(current)).keys, ...afterwards]);
      expect(afterwards).toHaveLength(keyHolders.length);
    });
    const { exitCode, errors } = await runIn({}, 'keys', 'generate', '--beside', '/nowhere.json');
    expect(exitCode).not.toBe(0);
    expect(errors).toContain('/nowhere.json');
  });
});

describe('misuse', () => {
  test.each([
    [[], 'A command is required.'],
    [['keys'], 'A command is required.'],
    [['make-channel'], "unknown command 'make-channel'"],
    [['keys', 'make'], "unknown command 'make'"],
    [['create-sales-channel'], '--name is required'],
    [['create-sales-channel', '--name'], "option '--name <text>' argument missing"],
    [['create-sales-channel', '--name', ' '], "option '--name <text>' argument ' ' is invalid. It must not be empty."],
    [['create-sales-channel', '--nme', 'x'], "unknown option '--nme'"],
    [['create-sales-channel', '--name', 'x', 'y'], 'Expected 0 arguments but got 1: y'],
    [['create-account-holder', '--name', 'x', '--street2', ''], "option '--street2 <text>' argument '' is invalid"],
    [['assign-roles', ...user, '--roles', 'all'], '--sales-channel is required'],
    [['assign-roles', ...user, '--sales-channel', 'c', '--roles', 'OWNER'], '"OWNER" is not a role'],
    [['set-account-holder', ...user], 'either --account-holder or --none'],
    [['set-account-holder', ...user, '--none', '--account-holder', 'h'], "'--none' cannot be used with option"],
    [['dead-letters', 'list'], "missing required argument 'queue'"],
    [
      ['dead-letters', 'list', 'x'],
      "value 'x' is invalid for argument 'queue'. Allowed choices are inventory.transfers",
    ],
    [['dead-letters', 'replay', 'events.log', '--limit', 'many'], "'--limit <number>' argument 'many' is invalid"],
    [['dead-letters', 'replay', 'events.log', '--limit', '0'], 'It must be a whole number from 1 to 10000.'],
    [['reconcile', '--status', '--wait'], "'--status' cannot be used with option '--wait'"],
    [['reconcile', '--channel', ''], "option '--channel <id>' argument '' is invalid"],
    [['list-sales-channels', '--env-file', '/nowhere/at/all'], '--env-file'],
  ])('%j', async (words, message) => {
    const { exitCode, output, errors } = await admin.run(...words);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' });
    expect(errors).toContain(message);
    expect(errors).toContain('Usage: npm run admin -- ');
    expect(admin.asked).toEqual([]);
  });

  test('a missing variable is named', async () => {
    const { exitCode, errors } = await runIn({ ...admin.environment, RBAC_ADDRESS: '' }, 'list-sales-channels');
    expect(exitCode).toBe(2);
    expect(errors).toContain('RBAC_ADDRESS is not set');
    expect((await runIn({}, 'dead-letters', 'list', 'events.log')).errors).toContain('AMQP_URL is not set');
  });

  test.each(['--help', '-h', 'help'])('%s is not misuse', async (word) => {
    const { exitCode, output, errors } = await admin.run(word);
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    expect(output).toContain('create-sales-channel');
  });

  test.each([
    ['keys generate', []],
    ['create-sales-channel', ['--name <text>']],
    ['list-sales-channels', []],
    ['assign-roles', ['--issuer <url>', '--subject <text>', '--sales-channel <id>', '--roles <list>']],
    ['create-account-holder', ['--business-id <text>', '--street2 <text>', '--manual-approval']],
    ['set-account-holder', ['--account-holder <id>', '--none']],
    ['issue-api-key', ['--issuer <url>', '--subject <text>']],
    ['issue-registry-key', ['--account-holder <id>', '--expires-at <date-time>']],
    ['dead-letters list', ['queue', 'events.log', '--limit <number>']],
    ['dead-letters replay', ['queue', 'events.log', '--limit <number>']],
    ['unbind', ['queue', 'events.log', 'type']],
    ['reconcile', ['--channel <id>', '--status', '--wait']],
  ])('the help of %s shows its options and an example', async (name, options) => {
    const { exitCode, output } = await admin.run(...name.split(' '), '--help');
    expect(exitCode).toBe(0);
    for (const option of [...options, '--env-file <file>']) expect(output).toContain(option);
    expect(output).toContain(`Examples:\n  npm run admin -- ${name}`);
  });
});

describe('refusals', () => {
  const expiry = ['--account-holder', 'h', '--expires-at', 'tomorrow'];
  const refused = invalidRequest('The expiry is not valid.', [
    { pointer: '#/expiresAt', detail: 'must be a date-time', code: 'invalid' },
  ]);
  test.each([
    [
      notFound(),
      ['assign-roles', ...user, '--sales-channel', 'c', '--roles', 'all'],
      'There is no such sales channel (--sales-channel)',
    ],
    [refused, ['issue-registry-key', ...expiry], 'The expiry is not valid.\n  --expires-at must be a date-time'],
    [
      invalidRequest('Not valid.', [{ parameter: 'accountHolderId', detail: 'is empty', code: 'invalid' }]),
      ['issue-registry-key', ...expiry],
      '--account-holder is empty',
    ],
    [
      new DomainError('request-refused', 'Too many keys.'),
      ['issue-api-key', ...user],
      'admin issue-api-key: Too many keys.',
    ],
    [new DomainError('internal', 'The request failed.'), ['list-sales-channels'], 'The request failed.'],
  ])('%s', async (fault, words, message) => {
    admin.fail(fault);
    const { exitCode, output, errors } = await admin.run(...words);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
    expect(errors).toContain(message);
  });

  test('a service that cannot be reached', async () => {
    // This command, unlike the first steps of an installation, does not wait long for a service.
    const { exitCode, errors } = await runIn({ ...admin.environment, RBAC_ADDRESS: '127.0.0.1:1' }, 'list', 'channels');
    expect(exitCode).toBe(1);
    expect(errors).toContain('RBAC_ADDRESS');
  });

  test("another service's key", async () => {
    const { SERVICE_PRIVATE_KEY } = identityVariables('rbac');
    const { exitCode, errors } = await runIn({ ...admin.environment, SERVICE_PRIVATE_KEY }, 'list-sales-channels');
    expect(exitCode).toBe(1);
    expect(errors).toContain('SERVICE_PRIVATE_KEY must be the key of "admin"');
  });
});

test('the program reads the environment from a file, and sets the exit code', async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  await withEnvironmentFile(admin.environment, async (file) => {
    const runMain = (...words: string[]) =>
      spawnSync(process.execPath, [main, ...words, '--env-file', file], { encoding: 'utf8' });
    const help = runMain('create-sales-channel', '--help');
    expect({ status: help.status, usage: help.stdout.split('\n')[0] }).toEqual({
      status: 0,
      usage: 'Usage: npm run admin -- create-sales-channel [options]',
    });
    expect(runMain('create-sales-channel')).toMatchObject({ status: 2, stdout: '' });
  });
});

test('the environment takes precedence over the file', async () => {
  const { RBAC_ADDRESS: address, ...others } = admin.environment;
  const { exitCode } = await withEnvironmentFile({ ...others, RBAC_ADDRESS: '127.0.0.1:1' }, (file) =>
    runIn({ RBAC_ADDRESS: address }, 'list-sales-channels', '--env-file', file),
  );
  expect(exitCode).toBe(0);
});
