import { useState } from 'react';
import { Link } from 'wouter';
import { api, asCsv, unwrapData } from '../../../shared/api/client.ts';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { formatMoment } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Csv } from '../../../shared/ui/csv.tsx';
import { Page, Status, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import { TransactionStatus } from '../../transactions/transactions.tsx';
import styles from '../../portal.module.css';
import { newestFirst, useEventLog, useRecentEvents, type Event, type EventLog } from './events.ts';

const text = translate({
  title: 'Events',
  about: 'The event log of the sales channel, newest event first. New events appear automatically.',
  pause: 'Pause',
  resume: 'Resume',
  state: 'State',
  live: 'live',
  connecting: 'connecting',
  broken: 'disconnected, reconnecting',
  paused: 'paused: resumes at the same event',
  since: (id: string) => `Read up to ${id}`,
  recorded: 'Recorded, UTC',
  effective: 'Effective, UTC',
  status: 'Status',
  transaction: 'Transaction',
  id: 'Event',
  empty: 'No events yet. New events appear here automatically.',
  shown: (count: string) => `The latest ${count} events`,
});

const CSV_AT_MOST = 1_000;

const loadEventsCsv = (): Promise<Blob> =>
  unwrapData(
    api.GET('/saleschannel-services/v1/events', {
      ...asCsv,
      params: { query: { ...newestFirst, $limit: CSV_AT_MOST } },
    }),
  );

const columns: readonly TableColumn<Event>[] = [
  { name: text.recorded, cell: ({ createdAt }) => createdAt && formatMoment(createdAt) },
  { name: text.status, cell: ({ payload: { status } }) => <TransactionStatus status={status} /> },
  {
    name: text.transaction,
    cell: ({ payload: { transactionId } }) => (
      <Link href={`/channel/transactions/${encodeURIComponent(transactionId)}`}>
        <code>{transactionId}</code>
      </Link>
    ),
  },
  { name: text.effective, cell: ({ eventAt }) => eventAt && formatMoment(eventAt) },
  { name: text.id, cell: ({ id }) => <code>{id}</code> },
];

function State({ log, isPaused }: { readonly log: EventLog; readonly isPaused: boolean }) {
  if (isPaused) return <Status tone="wait">{text.paused}</Status>;
  if (log.state === 'live') return <Status tone="ok">{text.live}</Status>;
  return <Status tone={log.state === 'broken' ? 'bad' : 'wait'}>{text[log.state]}</Status>;
}

function Log({ before }: { readonly before: readonly Event[] }) {
  const [isPaused, setPaused] = useState(false);
  const log = useEventLog(before, isPaused);
  return (
    <>
      <div className={styles['controls']}>
        <Button onClick={() => setPaused(!isPaused)} aria-pressed={isPaused}>
          {isPaused ? text.resume : text.pause}
        </Button>
        <span role="status">
          <State log={log} isPaused={isPaused} />
        </span>
        <span className={styles['position']}>{text.since(log.lastId)}</span>
      </div>
      {log.state === 'broken' && log.error !== undefined && !isPaused && <Failure error={log.error} />}
      {log.events.length === 0 ? (
        <Empty>{text.empty}</Empty>
      ) : (
        <div aria-live="polite" aria-relevant="additions">
          <Table
            label={text.shown(formatNumber(log.events.length))}
            columns={columns}
            rows={log.events}
            keyOf={({ id }) => id}
          />
        </div>
      )}
    </>
  );
}

export default function EventsPage() {
  return (
    <Page title={text.title} actions={<Csv label={text.title} name="events" load={loadEventsCsv} />}>
      <p>{text.about}</p>
      <Read of={useRecentEvents()}>{(before) => <Log before={before} />}</Read>
    </Page>
  );
}
