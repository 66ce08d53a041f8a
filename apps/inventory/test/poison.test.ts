import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withDeadLetters, type DeadLetter } from '@saleschannel/messaging';
import { eventually, testBrokerUrl } from '@saleschannel/testing';
import { audit } from './audit.ts';
import {
  answerTo,
  issue,
  offrampOf,
  outcomeOf,
  putFacility,
  rangesOf,
  startLedger,
  tradeOf,
  type TestLedger,
} from './support.ts';

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await startLedger();
  await putFacility(ledger);
});
afterAll(async () => {
  await audit(ledger).finally(() => ledger.stop());
});

const TYPE = 'tasks.transfer.requested.v1';
const deadLetters = (): Promise<DeadLetter[]> =>
  withDeadLetters(testBrokerUrl(), ledger.namespace, (letters) => letters.list('inventory.transfers', 100));

test('messages that cannot be read or carried out are parked, and the others go on', async () => {
  const issuance = await issue(ledger, 'c', 'c-seller');
  const [first, second, third] = [1, 2, 3].map((serial) =>
    tradeOf('c-seller', 'c-buyer', [[issuance, serial, serial]]),
  ) as [ReturnType<typeof tradeOf>, ReturnType<typeof tradeOf>, ReturnType<typeof tradeOf>];
  const broken = offrampOf('c-seller', [[issuance, 4, 4]], { sellerAccountHolderId: null });
  await ledger.publisher.publishRaw(TYPE, 'no JSON');
  await ledger.publisher.publishRaw(TYPE, '{"entries": {}}');
  await ledger.publisher.publish(TYPE, [first]);
  await ledger.publisher.publishRaw(
    TYPE,
    JSON.stringify({ entries: [{ ...second, assets: [] }, second, { ...second, type: 'GIFT' }] }),
  );
  await ledger.publisher.publish(TYPE, [third, broken]);
  for (const { taskId } of [first, second, third])
    expect(outcomeOf(await answerTo(ledger, taskId)).said).toBe('SUCCESS');
  const letters = await eventually(async () => {
    const found = await deadLetters();
    return found.length === 5 && found;
  }, '5 dead letters');
  expect(letters.filter(({ reason }) => reason === 'the message cannot be read')).toHaveLength(4);
  expect(letters.find(({ body }) => body.includes(broken.taskId))?.reason).toContain('bundle_owner_id_check');
  expect(await rangesOf(ledger, 'c-buyer')).toEqual(['1-1', '2-2', '3-3']);
  expect(await rangesOf(ledger, 'c-seller')).toEqual(['4-10']);
});

test('a dead letter that is replayed is carried out once', async () => {
  const issuance = await issue(ledger, 'd', 'd-seller');
  const request = tradeOf('d-seller', 'd-buyer', [[issuance, 1, 5]]);
  // A table that is locked away stands for a fault that an operator mends.
  await ledger.transaction('alter table transfer_refusal rename to transfer_refusal_away');
  await ledger.publisher.publish(TYPE, [request]);
  await eventually(
    async () => (await deadLetters()).some(({ body }) => body.includes(request.taskId)),
    'a dead letter',
  );
  await ledger.transaction('alter table transfer_refusal_away rename to transfer_refusal');
  const count = (await deadLetters()).length;
  expect(
    await withDeadLetters(testBrokerUrl(), ledger.namespace, (letters) => letters.replay('inventory.transfers', count)),
  ).toBe(count);
  expect(outcomeOf(await answerTo(ledger, request.taskId)).said).toBe('SUCCESS');
  expect(await rangesOf(ledger, 'd-buyer')).toEqual(['1-5']);
});
