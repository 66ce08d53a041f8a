import { newId } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import type { States } from '@saleschannel/testing/contract-tests';
import { status, type Receiver } from './receiver.ts';
import type { Webhooks } from './webhooks.ts';

/** Sets the states named in the contracts of consumers. */
export function statesOf(webhooks: Webhooks, receiver: Receiver): States {
  const createEndpoint = async () => {
    const channel = newId();
    const { endpoint } = await webhooks.create(channel, { url: receiver.url });
    return { channel, endpoint: endpoint.id };
  };
  return {
    'a sales channel without webhook endpoints': () => Promise.resolve({ channel: newId() }),
    'a webhook endpoint': createEndpoint,
    async 'a webhook endpoint of another channel'() {
      return { channel: newId(), foreign: (await createEndpoint()).endpoint };
    },
    async 'a webhook endpoint whose receiver failed on an event'() {
      receiver.answer(status(503));
      const { channel, endpoint } = await createEndpoint();
      const [event = 'none'] = webhooks.log.append(channel, 1);
      const delivery = await eventually(
        async () => (await webhooks.deliveries(channel, endpoint)).find(({ attemptCount }) => attemptCount === 1),
        'the attempt',
      );
      return { channel, endpoint, event, delivery: delivery.id, address: receiver.url };
    },
    async 'an act on a sales channel'() {
      return { channel: (await createEndpoint()).channel };
    },
  };
}
