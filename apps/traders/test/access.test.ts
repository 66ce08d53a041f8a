import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessRules, keyHolders, roles, type AccessRule, type KeyHolder, type Role } from '@saleschannel/auth';
import type { CallOptions } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, callAs, catchFailure } from '@saleschannel/testing';
import { entity, startTraders, type Traders } from './support/traders.ts';

let traders: Traders;
beforeAll(async () => {
  traders = await startTraders();
});
afterAll(() => traders.stop());

type Send = (caller: KeyHolder, options: CallOptions) => Promise<unknown>;

const rpcsOfTraders: Record<string, { rule: AccessRule; request: object }> = {
  CreateTrader: { rule: accessRules.createTrader, request: { idempotencyKey: 'k', ...entity } },
  UpdateTrader: { rule: accessRules.updateTrader, request: { traderId: 'c1', mergePatchJson: '{}' } },
  GetTrader: { rule: accessRules.getTrader, request: { traderId: 'c1' } },
  ListTraders: { rule: accessRules.listTraders, request: {} },
  ListProposals: { rule: accessRules.listProposals, request: {} },
  AcceptProposal: { rule: accessRules.acceptProposal, request: { proposalId: 'c1' } },
  RejectProposal: { rule: accessRules.rejectProposal, request: { proposalId: 'c1' } },
};

const sender =
  (contract: 'traders' | 'traderDirectory', rpc: string, request: object): Send =>
  async (caller, options) => {
    const client = await callAs(caller, contract, traders.service.address);
    try {
      const call = Reflect.get(client, rpc) as (request: object, options: CallOptions) => object;
      const answer = call(request, options);
      if (Symbol.asyncIterator in answer) for await (const _message of answer as AsyncIterable<unknown>);
      else await answer;
    } finally {
      client.close();
    }
  };

const suffices = (rule: AccessRule, role: Role): boolean => rule.principal === 'user' && rule.roles.includes(role);

const outcomeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );

describe.each(Object.entries(rpcsOfTraders))('%s', (rpc, { rule, request }) => {
  const send = sender('traders', rpc, request);

  test.each(roles.map((role) => [role, suffices(rule, role)] as const))('%s alone: %p', async (role, isEnough) => {
    const outcome = await outcomeOf(send('gateway', await asUser(newId(), [role])));
    expect(outcome === 'forbidden').toBe(!isEnough);
  });

  test('a suspended channel can be read but not changed', async () => {
    const changes = rule.principal === 'user' && rule.changes === true;
    const options = await asUser(newId(), roles, newId(), undefined, { isSuspended: true });
    const outcome = await outcomeOf(send('gateway', options));
    expect(outcome === 'sales-channel-suspended').toBe(changes);
    expect(changes).toBe(!/^(Get|List)/.test(rpc));
  });

  test('forbidden: a user without a channel, and a registry key', async () => {
    expect(await catchFailure(send('gateway', await asUser(undefined, roles)))).toMatchObject({ code: 'forbidden' });
    expect(await catchFailure(send('gateway', await asRegistry()))).toMatchObject({ code: 'forbidden' });
  });

  test('unauthenticated: a call without a principal', async () => {
    expect(await catchFailure(send('gateway', {}))).toMatchObject({ code: 'unauthenticated' });
  });

  test('forbidden: every service except the gateway, and the sandbox for accepting proposals', async () => {
    const callers = rpc === 'AcceptProposal' ? ['gateway', 'sandbox'] : ['gateway'];
    for (const caller of keyHolders.filter((name) => !callers.includes(name))) {
      expect(await catchFailure(send(caller, await asUser(newId(), roles)))).toMatchObject({ code: 'forbidden' });
    }
  });
});

describe.each([
  ['GetParties', ['tasks', 'inventory'], { keys: [] }],
  ['FindOnboardedTraders', ['registry-import'], { keys: [] }],
  ['SubmitProposal', ['registry-import'], { accountHolderId: 'c1', salesChannelId: 'c2', ...entity }],
])('%s', (rpc, callers, request) => {
  const send = sender('traderDirectory', rpc, request);

  test('forbidden: every service that does not need it', async () => {
    for (const caller of keyHolders) {
      expect([caller, await outcomeOf(send(caller, await asRegistry()))]).toEqual([
        caller,
        callers.includes(caller) ? 'answered' : 'forbidden',
      ]);
    }
  });
});

describe('SubmitProposal', () => {
  const send = sender('traderDirectory', 'SubmitProposal', { accountHolderId: 'c1', salesChannelId: 'c2', ...entity });

  test('forbidden: a user as principal', async () => {
    expect(await catchFailure(send('registry-import', await asUser(newId(), roles)))).toMatchObject({
      code: 'forbidden',
    });
  });

  test('unauthenticated: a call without a principal', async () => {
    expect(await catchFailure(send('registry-import', {}))).toMatchObject({ code: 'unauthenticated' });
  });
});
