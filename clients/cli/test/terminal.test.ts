import { afterEach, expect, test } from '@jest/globals';
import { TestUser, startService, type Respond, type Service } from './support/scs.ts';

/** Clears the screen in two ways, and reverses the following text. */
const EVIL = 'Evil \u001b[2J \u009b2J \u202eSA';
// eslint-disable-next-line no-control-regex
const DOES_SOMETHING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;

const person = new TestUser();
let service: Service | undefined;
afterEach(() => service?.stop());

async function signedIn(answers: Record<string, unknown>): Promise<string> {
  const me = { userId: 'u1', name: EVIL, email: null, salesChannel: { name: EVIL }, roles: [] };
  service = await startService({ 'GET /account-portal/me': me, ...answers });
  const words = ['login', '--base-url', service.url, '--api-key'];
  return (await person.run(words, { piped: 'key1\nsecret\n' })).errors;
}

test('names from others cannot manipulate a terminal in any format', async () => {
  const refused: Respond = () => ({
    status: 400,
    body: { type: '/problems/request-refused', title: EVIL, detail: EVIL, errors: [{ detail: EVIL, code: EVIL }] },
  });
  const errors = await signedIn({
    'GET /saleschannel-services/v1/traders': [{ id: 't1', name: EVIL, businessId: 'NO-1' }],
    'POST /saleschannel-services/v1/traders/t1/inventory/plan': refused,
  });
  expect(errors).toContain('Evil');
  expect(errors).not.toMatch(DOES_SOMETHING);
  for (const words of [
    ['traders'],
    ['traders', '--json'],
    ['whoami'],
    ['whoami', '--json'],
    ['plan', 't1', '--from-oldest', '1'],
  ]) {
    for (const typed of [undefined, []]) {
      const { output, errors } = await person.run(words, typed ? { typed } : {});
      expect(output + errors).toContain('Evil');
      expect(output + errors).not.toMatch(DOES_SOMETHING);
    }
  }
  // Programs get the original name.
  const { output } = await person.run(['traders']);
  expect((JSON.parse(output) as { name: string }).name).toBe(EVIL);
});

const createEvent = (number: number) => ({
  id: `e${number}`,
  eventType: 'TRANSACTION_STATUS_CHANGE',
  createdAt: new Date(number).toISOString(),
  eventAt: new Date(number).toISOString(),
  payload: { transactionId: `t${number}`, status: 'SUCCESS' },
});

test('events without --follow are a list', async () => {
  await signedIn({ 'GET /saleschannel-services/v1/events': [createEvent(1), createEvent(2)] });
  const json = await person.run(['events', '--json']);
  expect((JSON.parse(json.output) as { id: string }[]).map(({ id }) => id)).toEqual(['e1', 'e2']);
  const lines = await person.run(['events']);
  expect(lines.output.split('\n').filter((line) => line !== '')).toHaveLength(2);
  expect((await person.run(['events'], { typed: [] })).output).toMatch(/^TIME +TYPE/);
});

test('a passphrase pasted together with the id is not shown', async () => {
  await signedIn({});
  const words = ['login', '--base-url', service?.url ?? 'none', '--api-key'];
  const { errors } = await person.run(words, { typed: ['key1\nscs_pasted', 'scs_pasted'] });
  expect(errors).toContain('Signed in');
  expect(errors).not.toContain('scs_pasted');
});
