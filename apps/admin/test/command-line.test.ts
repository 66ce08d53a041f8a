import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createServiceTokens,
  createTokenVerifier,
  parsePrivateKey,
  parsePublicKeys,
  roles as allRoles,
} from '@saleschannel/auth';
import { DomainError, invalidRequest, notFound } from '@saleschannel/errors';
import { identityVariables } from '@saleschannel/testing';
import { keyHolders } from '../src/index.ts';
import { createdOn, run as runIn, startServices } from './harness.ts';

let services: Awaited<ReturnType<typeof startServices>>;
beforeAll(async () => {
  services = await startServices();
});
afterAll(() => services.stop());
beforeEach(() => {
  services.asked.length = 0;
});
afterEach(() => services.fail(undefined));

const run = (...words: string[]) => runIn(services.environment, ...words);
const user = ['--issuer', 'https://issuer.example', '--subject', 'anna'];
const anna = { issuer: 'https://issuer.example', subject: 'anna' };
const address = ['--postal-code', '00100', '--city', 'Helsinki', '--country', 'FI', '--street1', 'Katu 1'];

describe('what is asked and answered', () => {
  test('create-sales-channel', async () => {
    const { exitCode, json } = await run('create-sales-channel', '--name', 'Nordic Removals');
    expect({ exitCode, answer: json() }).toEqual({ exitCode: 0, answer: { id: 'channel-1', name: 'Nordic Removals' } });
  });

  test('list-sales-channels', async () => {
    expect((await run('list-sales-channels')).json()).toEqual([{ id: 'channel-1', name: 'One' }]);
  });

  test('assign-roles makes the user known, binds and grants', async () => {
    const { json } = await run(
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
    expect(services.asked.map(({ rpc }) => rpc)).toEqual(['EnsureUser', 'AssignRoles']);
    expect(services.asked[0]!.request).toEqual(anna);
  });

  test('assign-roles --roles all grants every role', async () => {
    const { json } = await run('assign-roles', ...user, '--sales-channel', 'channel-1', '--roles', 'all');
    expect(json()).toMatchObject({ roles: [...allRoles] });
  });

  test('create-account-holder', async () => {
    const { json } = await run(
      'create-account-holder',
      '--name',
      'Biochar Oy',
      '--business-id',
      'FI-1',
      ...address,
      '--manual-approval',
    );
    const place = { postalCode: '00100', city: 'Helsinki', country: 'FI', street1: 'Katu 1' };
    expect(json()).toEqual({
      accountHolderId: 'holder-1',
      name: 'Biochar Oy',
      businessId: 'FI-1',
      address: place,
      autoApproval: false,
      registeredOn: createdOn,
    });
    expect(
      (
        await run('create-account-holder', '--name', 'B', '--business-id', 'FI-1', ...address, '--street2', 'A 2')
      ).json(),
    ).toMatchObject({
      autoApproval: true,
      address: { ...place, street2: 'A 2' },
    });
  });

  test('set-account-holder ties and unties', async () => {
    await run('set-account-holder', ...user, '--account-holder', 'holder-1');
    await run('set-account-holder', ...user, '--none');
    expect(services.asked.filter(({ rpc }) => rpc === 'SetAccountHolder').map(({ request }) => request)).toEqual([
      { userId: 'user-anna', accountHolderId: 'holder-1' },
      { userId: 'user-anna', accountHolderId: '' },
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
    expect((await run('issue-api-key', ...user)).json()).toEqual(key);
  });

  test('issue-registry-key', async () => {
    const { json } = await run(
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

  test('keys generate makes what a deployment needs, without any environment', async () => {
    const { exitCode, json } = await runIn({}, 'keys', 'generate');
    expect(exitCode).toBe(0);
    const made = json() as {
      SERVICE_PUBLIC_KEYS: unknown;
      SERVICE_PRIVATE_KEY: Record<string, unknown>;
      API_KEY_PEPPER: string;
    };
    expect(Object.keys(made.SERVICE_PRIVATE_KEY)).toEqual([...keyHolders]);
    expect(Buffer.from(made.API_KEY_PEPPER, 'base64')).toHaveLength(32);
    const verifier = createTokenVerifier(parsePublicKeys(made.SERVICE_PUBLIC_KEYS));
    for (const name of keyHolders) {
      const tokens = await createServiceTokens(name, parsePrivateKey(made.SERVICE_PRIVATE_KEY[name]));
      expect(await verifier.service(await tokens.current())).toBe(name);
    }
  });
});

describe('mistakes', () => {
  test.each([
    [[], 'a command is missing'],
    [['make-channel'], 'there is no command "make-channel"'],
    [['keys', 'make'], 'there is no command "keys make"'],
    [['create-sales-channel'], '--name is missing'],
    [['create-sales-channel', '--name'], "'--name <value>' argument missing"],
    [['create-sales-channel', '--name', ' '], '--name is empty'],
    [['create-sales-channel', '--nme', 'x'], "Unknown option '--nme'"],
    [['create-sales-channel', '--name', 'x', 'y'], '"y" is not understood'],
    [['assign-roles', ...user, '--sales-channel', 'c', '--roles', 'OWNER'], '--roles: "OWNER" is no role'],
    [['set-account-holder', ...user], 'either --account-holder or --none'],
    [['set-account-holder', ...user, '--none', '--account-holder', 'h'], 'either --account-holder or --none'],
    [['dead-letters', 'list'], '<queue> is missing'],
    [['dead-letters', 'list', 'x'], '"x" is no queue'],
    [['dead-letters', 'replay', 'events.log', '--limit', 'many'], '--limit must be a whole number'],
    [['list-sales-channels', '--env-file', '/nowhere/at/all'], '--env-file'],
  ])('%j', async (words, message) => {
    const { exitCode, output, errors } = await run(...words);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' });
    expect(errors).toContain(message);
    expect(errors).toContain('Usage: npm run admin -- ');
    expect(services.asked).toEqual([]);
  });

  test('a missing variable is named', async () => {
    const { exitCode, errors } = await runIn({ ...services.environment, RBAC_ADDRESS: '' }, 'list-sales-channels');
    expect(exitCode).toBe(2);
    expect(errors).toContain('RBAC_ADDRESS is not set');
    expect((await runIn({}, 'dead-letters', 'list', 'events.log')).errors).toContain('AMQP_URL is not set');
  });

  test('help is no mistake', async () => {
    expect(await run('--help')).toMatchObject({ exitCode: 0, errors: '' });
    const { exitCode, output } = await run('assign-roles', '--help');
    expect(exitCode).toBe(0);
    expect(output).toContain('--sales-channel <id>');
  });
});

describe('refusals', () => {
  const expiry = ['--account-holder', 'h', '--expires-at', 'tomorrow'];
  const refused = invalidRequest('The expiry is not valid.', [
    { pointer: '#/expiresAt', detail: 'must be a date-time', code: 'x' },
  ]);
  test.each([
    [
      notFound(),
      ['assign-roles', ...user, '--sales-channel', 'c', '--roles', 'all'],
      'there is no such sales channel (--sales-channel)',
    ],
    [refused, ['issue-registry-key', ...expiry], 'The expiry is not valid.\n  --expires-at must be a date-time'],
    [
      invalidRequest('Not valid.', [{ parameter: 'accountHolderId', detail: 'is empty', code: 'x' }]),
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
    services.fail(fault);
    const { exitCode, output, errors } = await run(...words);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
    expect(errors).toContain(message);
  });

  test('a service that is away', async () => {
    const { exitCode, errors } = await runIn(
      { ...services.environment, RBAC_ADDRESS: '127.0.0.1:1' },
      'list-sales-channels',
    );
    expect(exitCode).toBe(1);
    expect(errors).toContain('RBAC_ADDRESS');
  });

  test("another service's key", async () => {
    const { SERVICE_PRIVATE_KEY } = identityVariables('rbac');
    const { exitCode, errors } = await runIn({ ...services.environment, SERVICE_PRIVATE_KEY }, 'list-sales-channels');
    expect(exitCode).toBe(1);
    expect(errors).toContain('SERVICE_PRIVATE_KEY must be that of "admin"');
  });
});

test('as a program: the environment from a file, the answer on standard output, the exit code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'admin-'));
  try {
    const file = join(folder, 'admin.env');
    writeFileSync(
      file,
      Object.entries(services.environment)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const { stdout, status } = spawnSync(
      process.execPath,
      [main, 'create-sales-channel', '--help', '--env-file', file],
      { encoding: 'utf8' },
    );
    expect({ status, usage: stdout.startsWith('Usage: npm run admin -- create-sales-channel') }).toEqual({
      status: 0,
      usage: true,
    });
    const wrong = spawnSync(process.execPath, [main, 'create-sales-channel', '--env-file', file], { encoding: 'utf8' });
    expect(wrong).toMatchObject({ status: 2, stdout: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the file holds what the environment does not, and the environment comes first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'admin-'));
  try {
    const file = join(folder, 'admin.env');
    const { RBAC_ADDRESS: address, ...others } = services.environment;
    writeFileSync(
      file,
      Object.entries({ ...others, RBAC_ADDRESS: '127.0.0.1:1' })
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    const { exitCode } = await runIn({ RBAC_ADDRESS: address }, 'list-sales-channels', '--env-file', file);
    expect(exitCode).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
