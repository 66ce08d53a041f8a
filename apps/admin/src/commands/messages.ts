import { listDeadLetters, replayDeadLetters } from '@saleschannel/edge/administration';
import { queueFamilies, queues, type QueueFamily, type QueueName } from '@saleschannel/messaging';
import { Argument, Option, type Command } from 'commander';
import { textOption, wholeNumberOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

const LIMIT = 100;
const LIMIT_AT_MOST = 10_000;

interface DeadLetterOptions {
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
    .action(async (family: QueueFamily, { limit }: DeadLetterOptions) =>
      print(await deadLetters((letters) => listDeadLetters(letters, family, limit))),
    );
  withExamples(list, 'dead-letters list events.log', 'dead-letters list tasks.outcomes --limit 5');

  const replay = ofQueue(group.command('replay'))
    .description('return dead letters to their queue')
    .action(async (family: QueueFamily, { limit }: DeadLetterOptions) =>
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

interface ReconcileOptions {
  readonly channel?: string;
  readonly status?: boolean;
  readonly wait?: boolean;
}

export function addReconcile(program: Command, { reconciliation, print }: Tools): void {
  const command = program
    .command('reconcile')
    .description('republish the status changes that the event log or the tasks lack')
    .option('--channel <id>', 'only this sales channel', textOption)
    .addOption(new Option('--status', 'show the lag of each consumer and change nothing').conflicts('wait'))
    .option('--wait', 'wait until nothing is missing, at most ten minutes')
    .action(async ({ channel: salesChannelId, status = false, wait = false }: ReconcileOptions) =>
      print(await reconciliation((ledger) => ledger.run({ salesChannelId, status, wait }))),
    );
  withExamples(command, 'reconcile', 'reconcile --status', 'reconcile --channel <id> --wait');
}
