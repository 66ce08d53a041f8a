import { useEffect, useState, type ComponentProps } from 'react';
import { Link } from 'wouter';
import { follow, type FollowState } from '../../../shared/api/follow.ts';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { formatTime, formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Page, Status, Table, type Tone } from '../../../shared/ui/page.tsx';
import { Failure, Loading } from '../../../shared/ui/state.tsx';
import { OPERATIONS_PATH, type Schemas } from '../../api.ts';
import styles from '../../console.module.css';

const text = translate({
  title: 'Status',
  connecting: 'Connecting',
  live: (time: string) => `Live, as of ${time} UTC`,
  broken: (time: string) => `Disconnected. Showing the status as of ${time} UTC`,
  neverConnected: 'Disconnected',
  allUp: (count: number) => `All ${count} components are up.`,
  notUp: (names: string) => `Not up: ${names}.`,
  parts: 'Components',
  part: 'Component',
  status: 'Status',
  since: 'Since, UTC',
  rates: 'Rates and backlog',
  what: 'Metric',
  value: 'Value',
  ledgerRate: 'Status changes made by the ledger, per second',
  tasksRate: 'Status changes received by tasks, per second',
  eventsRate: 'Status changes recorded in event logs, per second',
  waitingTasks: 'Tasks waiting for the ledger',
  unfinishedImports: 'Unfinished imports',
  unknown: 'unknown',
  queues: 'Queues',
  queue: 'Queue',
  messages: 'Waiting',
  consumers: 'Consumers',
  deadLetters: 'Dead letters',
  noQueues: 'The broker is unreachable.',
  outboxes: 'Outboxes',
  service: 'Service',
  age: 'Oldest event, s',
  refused: 'Permanently refused',
  noOutboxes: 'No service is reachable.',
  UP: 'up',
  IMPAIRED: 'impaired: running, but without its database',
  DOWN: 'down',
  UNKNOWN: 'not checked yet',
});

type Activity = Schemas['Activity'];

interface Snapshot {
  /** Undefined until the first snapshot arrives. */
  readonly activity: Activity | undefined;
  readonly state: FollowState;
  readonly error: unknown;
}

/** Streams snapshots of the installation while the page is open, and reconnects when the stream ends. */
function useActivity(): Snapshot {
  const [snapshot, setSnapshot] = useState<Snapshot>({ activity: undefined, state: 'connecting', error: undefined });
  useEffect(() => {
    const stop = new AbortController();
    void follow({
      path: `${OPERATIONS_PATH}/activity/stream`,
      // Snapshots have no ids: each stream starts with the latest snapshot.
      lastId: '0',
      signal: stop.signal,
      onMessage: ({ event, data }) => {
        if (event === 'activity') setSnapshot((previous) => ({ ...previous, activity: JSON.parse(data) as Activity }));
      },
      onState: (state, _lastId, error) => setSnapshot((previous) => ({ ...previous, state, error })),
    });
    return () => stop.abort();
  }, []);
  return snapshot;
}

type Part = Schemas['PartHealth'];

const tones: Record<Part['status'], Tone | undefined> = { UP: 'ok', IMPAIRED: 'wait', DOWN: 'bad', UNKNOWN: undefined };
/** Problems first. */
const ORDER: readonly Part['status'][] = ['DOWN', 'IMPAIRED', 'UNKNOWN', 'UP'];
/** Events normally leave the outbox within a second. */
const OLD_SECONDS = 10;

const formatCount = (count: number | null): string => (count === null ? text.unknown : formatNumber(count));
const formatRate = (perSecond: number | null): string => (perSecond === null ? text.unknown : perSecond.toFixed(1));

function Connection({ activity, state }: Snapshot) {
  if (state === 'connecting' && !activity) return text.connecting;
  if (state !== 'broken' && activity) return <Status tone="ok">{text.live(formatTime(activity.at))}</Status>;
  return <Status tone="bad">{activity ? text.broken(formatTime(activity.at)) : text.neverConnected}</Status>;
}

const Section = <T,>(table: ComponentProps<typeof Table<T>>) => (
  <section>
    <h2>{table.label}</h2>
    <Table {...table} />
  </section>
);

function Parts({ parts }: { readonly parts: readonly Part[] }) {
  const sorted = parts.toSorted((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status));
  return (
    <Section
      label={text.parts}
      rows={sorted}
      keyOf={({ name }) => name}
      columns={[
        { name: text.part, cell: ({ name }) => name },
        { name: text.status, cell: ({ status }) => <Status tone={tones[status]}>{text[status]}</Status> },
        { name: text.since, cell: ({ since }) => `${formatDateTime(since)}:${formatTime(since).slice(-2)}` },
      ]}
    />
  );
}

function Rates({ activity: { rates, waitingTasks, unfinishedImports } }: { readonly activity: Activity }) {
  const rows = [
    { what: text.ledgerRate, value: formatRate(rates.ledger) },
    { what: text.tasksRate, value: formatRate(rates.tasks) },
    { what: text.eventsRate, value: formatRate(rates.events) },
    { what: text.waitingTasks, value: formatCount(waitingTasks) },
    { what: text.unfinishedImports, value: formatCount(unfinishedImports) },
  ];
  return (
    <Section
      label={text.rates}
      rows={rows}
      keyOf={({ what }) => what}
      columns={[
        { name: text.what, cell: ({ what }) => what },
        { name: text.value, align: 'end', cell: ({ value }) => value },
      ]}
    />
  );
}

const Queues = ({ queues }: Pick<Activity, 'queues'>) => (
  <Section
    label={text.queues}
    rows={queues}
    keyOf={({ queue }) => queue}
    empty={text.noQueues}
    columns={[
      { name: text.queue, cell: ({ queue }) => <Link href={`/dead-letters/${queue}`}>{queue}</Link> },
      { name: text.messages, align: 'end', cell: ({ messages }) => formatNumber(messages) },
      {
        name: text.consumers,
        align: 'end',
        cell: ({ consumers }) => <Status tone={consumers === 0 ? 'bad' : undefined}>{formatNumber(consumers)}</Status>,
      },
      {
        name: text.deadLetters,
        align: 'end',
        cell: ({ deadLetters }) => (
          <Status tone={deadLetters === 0 ? undefined : 'bad'}>{formatNumber(deadLetters)}</Status>
        ),
      },
    ]}
  />
);

const Outboxes = ({ outboxes }: Pick<Activity, 'outboxes'>) => (
  <Section
    label={text.outboxes}
    rows={outboxes}
    keyOf={({ service }) => service}
    empty={text.noOutboxes}
    columns={[
      { name: text.service, cell: ({ service }) => service },
      {
        name: text.age,
        align: 'end',
        cell: ({ ageSeconds }) => (
          <Status tone={ageSeconds > OLD_SECONDS ? 'wait' : undefined}>{ageSeconds.toFixed(1)}</Status>
        ),
      },
      {
        name: text.refused,
        align: 'end',
        cell: ({ refused }) => <Status tone={refused === 0 ? undefined : 'bad'}>{formatNumber(refused)}</Status>,
      },
    ]}
  />
);

/** Announced by screen readers only when it changes. */
function Verdict({ parts }: { readonly parts: readonly Part[] }) {
  const notUp = parts.filter(({ status }) => status !== 'UP');
  const isDown = notUp.some(({ status }) => status === 'DOWN');
  const names = notUp.map(({ name, status }) => `${name} (${text[status]})`).join(', ');
  return (
    <p role="status">
      {notUp.length === 0 ? (
        text.allUp(parts.length)
      ) : (
        <Status tone={isDown ? 'bad' : 'wait'}>{text.notUp(names)}</Status>
      )}
    </p>
  );
}

export default function StatusPage() {
  const snapshot = useActivity();
  const { activity, state, error } = snapshot;
  return (
    <Page title={text.title} aside={<Connection {...snapshot} />}>
      {state === 'broken' && error !== undefined && <Failure error={error} />}
      {activity ? (
        <>
          <Verdict parts={activity.services} />
          <div className={styles['sections']}>
            <Parts parts={activity.services} />
            <Rates activity={activity} />
            <Queues queues={activity.queues} />
            <Outboxes outboxes={activity.outboxes} />
          </div>
        </>
      ) : (
        state !== 'broken' && <Loading />
      )}
    </Page>
  );
}
