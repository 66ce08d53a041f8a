import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TestUser, startService, type Respond, type Service } from './support/scs.ts';

const problem = { type: '/problems/unavailable', title: 'Away', status: 503, detail: 'For long.' };

let person: TestUser;
let service: Service;
/** Keys of completed operations, by operation. */
let done: { readonly reset: Set<unknown>; readonly 'sample-traders': Set<unknown> };
let isAway: boolean;
beforeEach(async () => {
  person = new TestUser();
  done = { reset: new Set(), 'sample-traders': new Set() };
  isAway = true;
  const reset: Respond = ({ key }) => {
    done.reset.add(key);
    return { body: { salesChannelId: 'new', previousSalesChannelId: 'old' } };
  };
  const trigger: Respond = ({ key }) => {
    done['sample-traders'].add(key);
    return isAway ? { status: 503, body: problem, headers: { 'Retry-After': '3600' } } : { body: {} };
  };
  const salesChannel = { id: 'new', name: 'Fjord' };
  service = await startService({
    'GET /account-portal/me': { userId: 'u1', name: 'Anna', email: null, salesChannel, roles: [] },
    'POST /saleschannel-services/v1/sandbox/reset': reset,
    'POST /saleschannel-services/v1/sandbox/triggers': trigger,
  });
  await person.run(['login', '--base-url', service.url, '--api-key'], { piped: 'key1\nsecret\n' });
});
afterEach(async () => {
  person.remove();
  await service.stop();
});

test.each([[[]], [['--idempotency-key', 'reset-1']]])(
  'reset %j with failed sample traders can be repeated with its key and happens once',
  async (options: string[]) => {
    const lost = await person.run(['reset', '--yes', ...options]);
    expect(lost).toMatchObject({ code: 1, output: '' });
    const [, key = 'none'] = /repeat with --idempotency-key (\S+)\n$/.exec(lost.errors) ?? [];
    expect([...done.reset]).toEqual([key]);
    isAway = false;
    expect(await person.run(['reset', '--yes', '--idempotency-key', key])).toMatchObject({ code: 0 });
    expect(done).toEqual({ reset: new Set([key]), 'sample-traders': new Set([key]) });
  },
);
