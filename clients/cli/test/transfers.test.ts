import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TestUser, startService, type Respond, type Service } from './support/scs.ts';

const inventory = '/saleschannel-services/v1/traders/t1/inventory';
const createTask = (status: string) => ({
  taskId: 'task-1',
  status,
  idempotencyKey: 'order-1',
  message: 'Done.',
  responsePayload: { id: 'tx1' },
});
const gone = { pointer: '#/assets/0/start', detail: 'No bundle starts there.', code: 'bundle-start' };

let person: TestUser;
let service: Service;
/** Started transfers by key. */
let started: Map<unknown, string>;
/** Whether responses to started transfers are lost. */
let isAway = false;
let hasNoPlans = false;
const away = {
  status: 503,
  body: { type: '/problems/unavailable', title: 'Away', status: 503, detail: 'For long.' },
  headers: { 'Retry-After': '3600' },
};
beforeEach(async () => {
  person = new TestUser();
  started = new Map();
  isAway = false;
  hasNoPlans = false;
  const plan: Respond = () => {
    if (hasNoPlans) return away;
    const selections = [{ start: 'i_1', end: 'i_5', volume: 5, vintage: 2024, bundle: { volume: 5 }, remainder: null }];
    return {
      body: started.size > 0 ? { volume: 0, faults: [gone], selections: [] } : { volume: 5, faults: [], selections },
    };
  };
  const offramp: Respond = ({ key, body }) => {
    const known = started.get(key);
    if (known === undefined && started.size > 0) {
      const problem = { type: '/problems/request-refused', title: 'Refused', status: 400, detail: 'It is.' };
      return { status: 400, body: { ...problem, errors: [gone] } };
    }
    if (known !== undefined && known !== body) {
      return { status: 400, body: { type: '/problems/idempotency-key-reused', title: 'Used', detail: 'It is.' } };
    }
    started.set(key, body);
    if (isAway) return away;
    return {
      status: 201,
      body: createTask('SUCCESS'),
      headers: { 'Idempotency-Replayed': String(known !== undefined) },
    };
  };
  service = await startService({
    'GET /account-portal/me': { userId: 'u1', name: 'Anna', email: null, salesChannel: null, roles: [] },
    [`POST ${inventory}/plan`]: plan,
    [`POST ${inventory}/offramp`]: offramp,
  });
  await person.run(['login', '--base-url', service.url, '--api-key'], { piped: 'key1\nsecret\n' });
});
afterEach(async () => {
  person.remove();
  await service.stop();
});

test('a repeated key returns the started task, although nothing is left to plan', async () => {
  const offramp = ['offramp', 't1', '--idempotency-key', 'order-1', '--yes'];
  const first = await person.run([...offramp, '--from-oldest', '5']);
  expect(first).toMatchObject({ code: 0, errors: expect.stringContaining('task: task-1') });
  const again = await person.run([...offramp, '--select', 'i_1..i_5']);
  expect(again).toMatchObject({ code: 0, output: first.output, errors: expect.stringContaining('started before') });
  expect(started.size).toBe(1);
  // Without selections the request cannot be repeated.
  const unrepeatable = await person.run([...offramp, '--from-oldest', '5']);
  expect(unrepeatable).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('--select') });
  const other = await person.run([...offramp, '--select', 'i_1..i_4']);
  expect(other).toMatchObject({ code: 1, output: '' });
});

test('a lost response is reported with the command to repeat', async () => {
  isAway = true;
  const words = ['offramp', 't1', '--yes', '--idempotency-key', 'order-1'];
  const outcome = await person.run([...words, '--from-oldest', '5']);
  const again = 'Repeat the command with --select i_1..i_5';
  expect(outcome).toMatchObject({ code: 1, output: '', errors: expect.stringContaining(again) });
  expect(outcome.errors).toContain('repeat with --idempotency-key order-1\n');
  isAway = false;
  expect(await person.run([...words, '--select', 'i_1..i_5'])).toMatchObject({ code: 0 });
  expect(started.size).toBe(1);
});

test.each([[[]], [['--idempotency-key', 'order-1']]])(
  'a failed plan starts nothing and suggests no key to repeat (%j)',
  async (key: string[]) => {
    hasNoPlans = true;
    const words = ['offramp', 't1', '--yes', '--from-oldest', '5', ...key];
    const outcome = await person.run(words);
    expect(outcome).toMatchObject({ code: 1, output: '', errors: 'scs: Away: For long.\n  request id: r-17\n' });
    expect(await person.run(['plan', 't1', '--from-oldest', '5'])).toMatchObject({ errors: outcome.errors });
    hasNoPlans = false;
    expect(await person.run(words)).toMatchObject({ code: 0 });
    expect(started.size).toBe(1);
  },
);

test('an unused key does not make an impossible transfer possible', async () => {
  started.set('another-key', '');
  // Former name of the option.
  const words = ['offramp', 't1', '--key', 'order-2', '--select', 'i_1..i_5'];
  expect(await person.run([...words, '--yes'])).toMatchObject({ code: 1, errors: expect.stringContaining(gone.code) });
  const declined = await person.run(words, { typed: ['n'] });
  expect(declined).toMatchObject({ code: 1, errors: expect.stringContaining('nothing was started') });
  expect(started.size).toBe(1);
});
