import { digits } from '../../../shared/format/numbers.ts';
import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: (queue: string) => `Dead letters of ${queue}`,
  all: 'All queues',
  levels: (deadLetters: number, messages: number) => `dead: ${digits(deadLetters)}, waiting: ${digits(messages)}`,
  oldest: (count: number) => `Showing the oldest ${digits(count)}.`,
  type: 'Type',
  reason: 'Reason',
  partition: 'Queue',
  bytes: 'Bytes',
  id: 'Message',
  none: 'This queue has no dead letters.',
  show: 'Show message',
  close: 'Close',
  copyBody: 'Copy body',
  body: 'Body',
  replay: 'Replay',
  replayTitle: (queue: string) => `Replay dead letters of ${queue}`,
  replayWhy:
    'The oldest messages are returned to their queue. A message that still cannot be processed becomes a dead letter ' +
    'again. Processed messages cannot be recalled.',
  limit: 'Maximum number of messages',
  replayButton: 'Replay messages',
  replayed: (count: number) => (count === 1 ? '1 message was replayed.' : `${digits(count)} messages were replayed.`),
});
