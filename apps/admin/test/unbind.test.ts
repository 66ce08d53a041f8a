import { expect, test } from '@jest/globals';
import { testBrokerUrl, testNamespace } from '@saleschannel/testing';
import { runIn } from './support/admin.ts';

const environment = { AMQP_URL: testBrokerUrl(), AMQP_NAMESPACE: testNamespace() };

test('a type that this release wants stays bound, and a queue that is not there is an error in words', async () => {
  const needed = await runIn(environment, 'unbind', 'events.log', 'inventory.transaction.status-changed.v1');
  expect(needed.exitCode).toBe(1);
  expect(needed.errors).toContain('events.log needs inventory.transaction.status-changed.v1 in this release');
  const missing = await runIn(environment, 'unbind', 'events.log', 'inventory.transaction.status-changed.v9');
  expect(missing.exitCode).toBe(1);
  expect(missing.errors).toContain('NOT_FOUND');
});
