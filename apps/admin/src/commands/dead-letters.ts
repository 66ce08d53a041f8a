import { queues, withDeadLetters, type QueueName } from '@saleschannel/messaging';
import { wholeNumberOf, type Command } from './command.ts';

const LIMIT = 100;
const LIMIT_AT_MOST = 10_000;

const argument = { name: 'queue', choices: Object.keys(queues) };
const options = { limit: { description: `messages at most, default ${LIMIT}`, value: 'number' } };

export const listDeadLetters: Command = {
  name: 'dead-letters list',
  description: 'show messages that could not be handled, and leave them where they are',
  options,
  argument,
  run(input, tools) {
    const atMost = wholeNumberOf(input, 'limit', LIMIT, LIMIT_AT_MOST);
    const { url, namespace } = tools.broker();
    return withDeadLetters(url, namespace, (deadLetters) => deadLetters.list(input.argument as QueueName, atMost));
  },
};

export const replayDeadLetters: Command = {
  name: 'dead-letters replay',
  description: 'hand messages that could not be handled to their queue again',
  options,
  argument,
  run(input, tools) {
    const atMost = wholeNumberOf(input, 'limit', LIMIT, LIMIT_AT_MOST);
    const { url, namespace } = tools.broker();
    return withDeadLetters(url, namespace, async (deadLetters) => ({
      queue: input.argument,
      replayed: await deadLetters.replay(input.argument as QueueName, atMost),
    }));
  },
};
