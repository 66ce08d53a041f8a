import { Argument, type Command } from 'commander';
import { queues, type QueueName } from '@saleschannel/messaging';
import { withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

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
