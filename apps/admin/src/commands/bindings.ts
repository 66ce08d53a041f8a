import { Argument, type Command } from 'commander';
import { queues, type QueueName } from '@saleschannel/messaging';
import { withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

export function addUnbind(program: Command, { removeBinding, print }: Tools): void {
  const unbind = program
    .command('unbind')
    .description('a queue gets a type of message no longer, after the release that wanted it was taken back for good')
    .addArgument(new Argument('<queue>', 'which gets it').choices(Object.keys(queues)))
    .argument('<type>', 'as saleschannel_messages_unknown_total and the log name it')
    .action(async (queue: QueueName, type: string) => {
      await removeBinding(queue, type);
      print({ queue, unbound: type });
    });
  withExamples(unbind, 'unbind events.log inventory.transaction.status-changed.v2');
}
