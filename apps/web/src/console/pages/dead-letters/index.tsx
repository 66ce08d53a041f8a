import { Link } from 'wouter';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Page, Status, Table } from '../../../shared/ui/page.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { useQueues } from '../dead-letter-queue/letters.ts';

const text = translate({
  title: 'Dead letters',
  about: 'Messages that could not be processed, by queue. They stay until they are replayed.',
  queue: 'Queue',
  waiting: 'Waiting',
  consumers: 'Consumers',
  deadLetters: 'Dead letters',
  none: 'none',
});

export default function DeadLettersPage() {
  return (
    <Page title={text.title}>
      <p>{text.about}</p>
      <Read of={useQueues()}>
        {(queues) => (
          <Table
            label={text.title}
            rows={queues}
            keyOf={({ queue }) => queue}
            columns={[
              { name: text.queue, cell: ({ queue }) => <Link href={`/dead-letters/${queue}`}>{queue}</Link> },
              {
                name: text.deadLetters,
                align: 'end',
                cell: ({ deadLetters }) =>
                  deadLetters === 0 ? text.none : <Status tone="bad">{formatNumber(deadLetters)}</Status>,
              },
              { name: text.waiting, align: 'end', cell: ({ messages }) => formatNumber(messages) },
              { name: text.consumers, align: 'end', cell: ({ consumers }) => formatNumber(consumers) },
            ]}
          />
        )}
      </Read>
    </Page>
  );
}
