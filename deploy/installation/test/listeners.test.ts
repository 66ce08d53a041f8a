import { expect, test } from '@jest/globals';
import { addListener, brokerDefinitions, completeSecrets, parseSecrets, removeListener, rotate } from '../src/index.ts';

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
