import { Argument, type Command } from 'commander';
import { listDeadLetters, replayDeadLetters } from '@saleschannel/edge/administration';
import { queueFamilies, queues, type QueueFamily, type QueueName } from '@saleschannel/messaging';
import { wholeNumberOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

const LIMIT = 100;
const LIMIT_AT_MOST = 10_000;

interface Options {
  limit: number;
}

export function addDeadLetters(program: Command, { deadLetters, print }: Tools): void {
  const group = program
    .command('dead-letters')
    .description('list or replay dead letters: dead-letters list, dead-letters replay');

  const ofQueue = (command: Command): Command =>
    command
      .addArgument(new Argument('<queue>', 'queue whose dead letters to use').choices(queueFamilies))
      .option('--limit <number>', 'maximum number of messages', wholeNumberOption(LIMIT_AT_MOST), LIMIT);

  const list = ofQueue(group.command('list'))
    .description('show dead letters without removing them')
    .action(async (family: QueueFamily, { limit }: Options) =>
      print(await deadLetters((letters) => listDeadLetters(letters, family, limit))),
    );
  withExamples(list, 'dead-letters list events.log', 'dead-letters list tasks.outcomes --limit 5');

  const replay = ofQueue(group.command('replay'))
    .description('return dead letters to their queue')
    .action(async (family: QueueFamily, { limit }: Options) =>
      print({ queue: family, replayed: await deadLetters((letters) => replayDeadLetters(letters, family, limit)) }),
    );
  withExamples(replay, 'dead-letters replay events.log', 'dead-letters replay inventory.transfers --limit 1000');
}

export function addUnbind(program: Command, { removeBinding, print }: Tools): void {
  const unbind = program
    .command('unbind')
    .description('stop routing a message type to a queue, after a permanent downgrade from the release that needs it')
    .addArgument(new Argument('<queue>', 'queue that the type is routed to').choices(Object.keys(queues)))
    .argument('<type>', 'message type, as saleschannel_messages_unknown_total and the log name it')
    .action(async (queue: QueueName, type: string) => {
      await removeBinding(queue, type);
      print({ queue, unbound: type });
    });
  withExamples(unbind, 'unbind events.log inventory.transaction.status-changed.v2');
}
