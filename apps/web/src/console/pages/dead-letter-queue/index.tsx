import { useState } from 'react';
import { Link } from 'wouter';
import { unwrapData } from '../../../shared/api/client.ts';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import type { PageProps } from '../../../shared/shell/pages.ts';
import { ActionDialog, type DialogAction } from '../../../shared/ui/action-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/form.tsx';
import { Facts, Page, Table, Verbatim, Copy } from '../../../shared/ui/page.tsx';
import { Empty, Read } from '../../../shared/ui/state.tsx';
import { operations, type Schemas } from '../../api.ts';
import {
  LETTERS_AT_MOST,
  lettersKey,
  formatBody,
  useLetter,
  useLetters,
  useQueues,
  type Letter,
  type QueueName,
} from './letters.ts';

const text = translate({
  title: (queue: string) => `Dead letters of ${queue}`,
  all: 'All queues',
  levels: (deadLetters: number, messages: number) =>
    `Dead letters: ${formatNumber(deadLetters)}, waiting: ${formatNumber(messages)}`,
  oldest: (count: number) => `Showing the oldest ${formatNumber(count)}.`,
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
  replayed: (count: number) =>
    count === 1 ? '1 message was replayed.' : `${formatNumber(count)} messages were replayed.`,
});

const REPLAYED_AT_MOST = 10_000;

const createReplayAction = (queue: QueueName, defaultLimit: number): DialogAction<Schemas['Replayed']> => ({
  title: text.replayTitle(queue),
  description: text.replayWhy,
  button: text.replayButton,
  pointers: ['/limit'],
  fields: (faultAt) => (
    <Field
      label={text.limit}
      name="limit"
      type="number"
      min={1}
      max={REPLAYED_AT_MOST}
      required
      defaultValue={defaultLimit}
      fault={faultAt('/limit')}
    />
  ),
  send: (form) =>
    unwrapData(
      operations.POST('/dead-letters/{queue}/replay', {
        params: { path: { queue } },
        body: { limit: Number(form.get('limit')) },
      }),
    ),
  changes: [['queues'], lettersKey(queue)],
  renderResult: ({ replayed }) => text.replayed(replayed),
});

interface MessageProps {
  readonly queue: QueueName;
  readonly id: string;
  onClose(): void;
}

function Message({ queue, id, onClose }: MessageProps) {
  const letter = useLetter(queue, id);
  return (
    <Dialog title={text.show} onClose={onClose} actions={<Button onClick={onClose}>{text.close}</Button>}>
      <Read of={letter}>
        {({ type, reason, queue: partition, bytes, body }) => (
          <>
            <Facts
              of={[
                [text.type, type],
                [text.reason, reason],
                [text.partition, partition],
                [text.bytes, formatNumber(bytes)],
              ]}
            />
            <Copy value={body} label={text.copyBody} />
            <Verbatim label={text.body}>{formatBody(body)}</Verbatim>
          </>
        )}
      </Read>
    </Dialog>
  );
}

interface LettersProps {
  readonly letters: readonly Letter[];
  onShow(id: string): void;
}

function Letters({ letters, onShow }: LettersProps) {
  if (letters.length === 0) return <Empty>{text.none}</Empty>;
  return (
    <>
      {letters.length === LETTERS_AT_MOST && <p>{text.oldest(LETTERS_AT_MOST)}</p>}
      <Table
        label={text.id}
        rows={letters}
        keyOf={({ index }) => String(index)}
        columns={[
          { name: text.type, cell: ({ type }) => type },
          { name: text.reason, cell: ({ reason }) => reason },
          { name: text.partition, cell: ({ queue }) => queue },
          { name: text.bytes, align: 'end', cell: ({ bytes }) => formatNumber(bytes) },
          {
            name: text.id,
            cell: ({ id }) => (
              <Button look="quiet" onClick={() => onShow(id)}>
                {text.show}
              </Button>
            ),
          },
        ]}
      />
    </>
  );
}

export default function DeadLetterQueuePage({ parameters }: PageProps) {
  // The service answers 404 for an unknown queue.
  const queue = (parameters['queue'] ?? 'none') as QueueName;
  const level = useQueues().data?.find((each) => each.queue === queue);
  const letters = useLetters(queue, level?.deadLetters);
  const [shown, setShown] = useState<string>();
  const [isReplaying, setReplaying] = useState(false);
  const hasLetters = letters.data !== undefined && letters.data.length > 0;
  return (
    <Page
      title={text.title(queue)}
      aside={level && <span role="status">{text.levels(level.deadLetters, level.messages)}</span>}
      actions={
        <>
          <Link href="/dead-letters">{text.all}</Link>
          {hasLetters && (
            <Button look="primary" onClick={() => setReplaying(true)}>
              {text.replay}
            </Button>
          )}
        </>
      }
    >
      <Read of={letters}>{(found) => <Letters letters={found} onShow={setShown} />}</Read>
      {shown !== undefined && <Message queue={queue} id={shown} onClose={() => setShown(undefined)} />}
      {isReplaying && (
        <ActionDialog
          act={createReplayAction(queue, Math.min(REPLAYED_AT_MOST, Math.max(1, level?.deadLetters ?? 1)))}
          onClose={() => setReplaying(false)}
        />
      )}
    </Page>
  );
}
