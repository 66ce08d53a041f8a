import { digits } from '../../../shared/format/numbers.ts';
import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: (queue: string) => `Dead letters of ${queue}`,
  all: 'All queues',
  levels: (deadLetters: number, messages: number) => `dead: ${digits(deadLetters)}, waiting: ${digits(messages)}`,
  oldest: (count: number) => `The oldest ${digits(count)} are shown.`,
  type: 'Type',
  reason: 'Why it could not be handled',
  partition: 'Queue',
  bytes: 'Bytes',
  id: 'Message',
  none: 'Every message of this queue was handled.',
  show: 'Show the message',
  close: 'Close',
  copyBody: 'Copy the body',
  body: 'Body',
  replay: 'Replay',
  replayTitle: (queue: string) => `Replay dead letters of ${queue}`,
  replayWhy:
    'The oldest ones are handed to their queue again. What cannot be handled still becomes a dead letter again. ' +
    'What is handled is not taken back.',
  limit: 'Messages at most',
  replayButton: 'Replay them',
  replayed: (count: number) => (count === 1 ? '1 message was replayed.' : `${digits(count)} messages were replayed.`),
});
