import { afterAll, beforeAll } from '@jest/globals';
import { contractTests } from '@saleschannel/testing/contract-tests';
import { statesOf } from './support/contract-states.ts';
import { startReceiver, type Receiver } from './support/receiver.ts';
import { startWebhooks, type Webhooks } from './support/webhooks.ts';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  // The calls of the sandbox service need a sandbox.
  webhooks = await startWebhooks({ SANDBOX: 'true' });
  receiver = await startReceiver();
});
afterAll(async () => {
  await webhooks.stop();
  await receiver.stop();
});

await contractTests('webhooks', () => ({ service: webhooks.service, states: statesOf(webhooks, receiver) }));
