import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { notFound } from '@saleschannel/errors';
import { findLocalStack } from '../src/command-line.ts';
import { createdOn, runBeside, runIn, startAdmin, type Admin } from './support/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());
beforeEach(() => {
  admin.asked.length = 0;
});
afterEach(() => admin.fail(undefined));

const user = (id: string) => ({ id, issuer: 'i', subject: id, accountHolderId: 'holder-1' });
const channel = (status: string) => ({ id: 'c', name: 'One', status });
const holder = { accountHolderId: 'h', name: 'A holder', kind: 'HOLDER', status: 'ACTIVE' };

describe('requests and answers', () => {
  test.each<[string[], unknown, object]>([
    [['list', 'users', '--disabled'], { users: [user('u1'), user('u2')], next: null }, { limit: 100, disabled: true }],
    [['list', 'users', '--limit', '1'], { users: [user('u1')], next: 'u1' }, { limit: 1 }],
    [
      ['list', 'keys', '--user', 'u1', '--after', 'k0'],
      { keys: [{ id: 'k1', kind: 'API', userId: 'u1', createdOn, expiresAt: '' }], next: null },
      { limit: 100, after: 'k0', userId: 'u1' },
    ],
    [
      ['list', 'bindings', '--sales-channel', 'c', '--role', 'EVENT_VIEWER'],
      { bindings: [{ userId: 'u1', salesChannelId: 'channel-1', roles: [] }], next: null },
      { limit: 100, salesChannelId: 'c', role: 'EVENT_VIEWER' },
    ],
    [['list', 'channels', '--status', 'SUSPENDED'], { channels: [] }, {}],
    [
      ['list', 'holders', '--kind', 'REGISTRY'],
      { holders: [expect.objectContaining({ accountHolderId: 'holder-1' })], next: null },
      { limit: 100, kind: 'REGISTRY' },
    ],
    [['revoke-key', 'k1'], { revoked: ['k1', 'made-with-it'] }, { keyId: 'k1' }],
    [['revoke-user-keys', 'u1'], { revoked: ['k1'] }, { userId: 'u1' }],
    [
      ['end-sessions', 'u1', '--reason', 'lost laptop'],
      { ended: [expect.objectContaining({ id: 's1', client: 'portal' })] },
      { userId: 'u1', reason: 'lost laptop' },
    ],
    [
      ['disable-user', 'u1', '--reason', 'left'],
      expect.objectContaining({ id: 'u1', disabledReason: 'left' }),
      { userId: 'u1', reason: 'left' },
    ],
    [['enable-user', 'u1'], expect.objectContaining({ id: 'u1' }), { userId: 'u1' }],
    [['unbind-user', 'u1'], { unbound: { userId: 'u1', salesChannelId: 'channel-1', roles: [] } }, { userId: 'u1' }],
    [
      ['rename-channel', 'c', '--name', 'Arctic', '--reason', 'x'],
      { ...channel('ACTIVE'), name: 'Arctic' },
      { salesChannelId: 'c', name: 'Arctic', reason: 'x' },
    ],
    [['suspend-channel', 'c', '--reason', 'x'], channel('SUSPENDED'), { salesChannelId: 'c', reason: 'x' }],
    [['resume-channel', 'c'], channel('ACTIVE'), { salesChannelId: 'c' }],
    [
      ['close-channel', 'c', '--reason', 'x'],
      { ...channel('CLOSED'), closedAt: createdOn, closedReason: 'x' },
      { salesChannelId: 'c', reason: 'x' },
    ],
    [
      ['suspend-holder', 'h', '--reason', 'x'],
      expect.objectContaining({ ...holder, status: 'SUSPENDED' }),
      { accountHolderId: 'h', reason: 'x' },
    ],
    [['resume-holder', 'h'], expect.objectContaining(holder), { accountHolderId: 'h' }],
    [
      ['set-kind', 'h', 'REGISTRY'],
      expect.objectContaining({ ...holder, kind: 'REGISTRY' }),
      { accountHolderId: 'h', kind: 'REGISTRY' },
    ],
  ])('%j', async (words, answer, request) => {
    const { exitCode, errors, output, json } = await admin.run(...words);
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    expect(json()).toEqual(answer);
    expect(output).not.toContain('"_');
    expect(admin.asked.map((call) => call.request)).toEqual([expect.objectContaining(request)]);
  });

  const services = ['identity', 'rbac', 'traders', 'inventory', 'tasks', 'events', 'registry-import', 'webhooks'];

  test('look-up queries every service', async () => {
    const { exitCode, json } = await admin.run('look-up', 'x');
    expect(exitCode).toBe(0);
    expect(json()).toEqual(services.map((service) => ({ service, kind: 'trader', facts: { id: 'x' } })));
  });

  test('look-up fails for an unknown id, and warns of unreachable services', async () => {
    const nothing = await admin.run('look-up', 'nothing');
    expect(nothing).toMatchObject({ exitCode: 1, output: '' });
    expect(nothing.errors).toContain('a record with this id');
    const partly = await runIn({ ...admin.environment, TASKS_ADDRESS: '127.0.0.1:1' }, 'look-up', 'x');
    expect(partly.exitCode).toBe(0);
    expect(partly.errors).toContain('tasks cannot be reached');
    expect(partly.json()).toHaveLength(services.length - 1);
  });
});

describe('warnings', () => {
  test.each([
    [['revoke-key', 'gone'], 'There is no such key'],
    [['unbind-user', 'unbound'], 'has no sales channel'],
    [['unbind-user', 'last'], 'no longer has a ROLE_ADMINISTRATOR'],
  ])('%j', async (words, warning) => {
    const { exitCode, errors } = await admin.run(...words);
    expect(exitCode).toBe(0);
    expect(errors).toContain(warning);
  });
});

describe('refused', () => {
  test.each([
    [['disable-user', 'u', '--reason', 'x'], 'There is no such user'],
    [['enable-user', 'u'], 'There is no such user'],
    [['revoke-user-keys', 'u'], 'There is no such user'],
    [['end-sessions', 'u', '--reason', 'x'], 'There is no such user'],
    [['rename-channel', 'c', '--name', 'n', '--reason', 'x'], 'There is no such sales channel'],
    [['suspend-channel', 'c', '--reason', 'x'], 'There is no such sales channel'],
    [['close-channel', 'c', '--reason', 'x'], 'There is no such sales channel'],
    [['resume-channel', 'c'], 'There is no such sales channel'],
    [['suspend-holder', 'h', '--reason', 'x'], 'There is no such account holder'],
    [['resume-holder', 'h'], 'There is no such account holder'],
    [['set-kind', 'h', 'HOLDER'], 'There is no such account holder'],
  ])('%j for an unknown record', async (words, message) => {
    admin.fail(notFound());
    const { exitCode, errors } = await admin.run(...words);
    expect(exitCode).toBe(1);
    expect(errors).toContain(message);
  });

  test.each([
    [['list'], 'A command is required.'],
    [['list', 'everything'], "unknown command 'everything'"],
    [['suspend-channel', 'c'], '--reason is required'],
    [['close-channel', 'c'], '--reason is required'],
    [['end-sessions', 'u'], '--reason is required'],
    [['set-kind', 'h', 'OWNER'], 'Allowed choices are REGISTRY, HOLDER'],
    [['revoke-key'], "missing required argument 'key'"],
    [['list', 'bindings', '--role', 'OWNER'], 'Allowed choices are'],
    [['list', 'keys', '--limit', '1001'], 'It must be a whole number from 1 to 1000.'],
  ])('%j before any call', async (words, message) => {
    const { exitCode, errors } = await admin.run(...words);
    expect(exitCode).toBe(2);
    expect(errors).toContain(message);
    expect(admin.asked).toEqual([]);
  });
});

describe('the local stack of the checkout', () => {
  const nowhere = { ...process.env, SERVICE_PRIVATE_KEY: undefined };

  test('is used and reported if no variable is set', async () => {
    const stack = { folder: '/here/.local', variables: admin.environment };
    const { exitCode, errors, json } = await runBeside(stack, nowhere, 'list', 'channels');
    expect(exitCode).toBe(0);
    expect(errors).toBe('admin: Using the local stack in /here/.local\n');
    expect(json()).toEqual({ channels: [expect.objectContaining({ id: 'channel-1' })] });
  });

  test('is ignored if a variable is set, so that two installations are never mixed', async () => {
    const stack = { folder: '/here/.local', variables: { ...admin.environment, RBAC_ADDRESS: '127.0.0.1:1' } };
    const { exitCode, errors } = await runBeside(stack, admin.environment, 'list', 'channels');
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    const partly = await runBeside(stack, { RBAC_ADDRESS: admin.environment['RBAC_ADDRESS'] }, 'list', 'channels');
    expect(partly.exitCode).toBe(2);
    expect(partly.errors).toContain('SERVICE_PRIVATE_KEY is not set');
  });

  test('is suggested if none runs', async () => {
    const { exitCode, errors } = await runBeside(undefined, {}, 'list', 'channels');
    expect(exitCode).toBe(2);
    expect(errors).toContain('npm start');
  });

  test('is found only while its process runs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'stack-'));
    try {
      expect(findLocalStack(folder)).toBeUndefined();
      writeFileSync(join(folder, 'admin.env'), "RBAC_ADDRESS='127.0.0.1:7'\n");
      expect(findLocalStack(folder)).toBeUndefined();
      writeFileSync(join(folder, 'stack.pid'), 'no number');
      expect(findLocalStack(folder)).toBeUndefined();
      writeFileSync(join(folder, 'stack.pid'), String(process.pid));
      expect(findLocalStack(folder)).toEqual({ folder, variables: { RBAC_ADDRESS: '127.0.0.1:7' } });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
