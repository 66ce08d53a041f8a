import { useState } from 'react';
import { Page } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Loading, Read } from '../../../shared/ui/state.tsx';
import { BarChart } from '../../charts/bar-chart.tsx';
import { isOfChannel, useMe } from '../../me.ts';
import { LatestTransactions } from '../../transactions/latest.tsx';
import { TaskTable } from '../../transactions/task-table.tsx';
import { useTasks } from '../../transactions/tasks.ts';
import { groupsOf, lastMonths, useSums, type GroupBy } from './sums.ts';
import styles from './channel.module.css';
import { text } from './text.ts';

const WEEK_MS = 7 * 86_400_000;

const weekAgo = (): string => new Date(Date.now() - WEEK_MS).toISOString().slice(0, 10);

/** What somebody may have to do something about. */
function Attention() {
  const [since] = useState(weekAgo);
  const waiting = useTasks('PENDING');
  const failed = useTasks('FAILED', since);
  const rejected = useTasks('REJECTED', since);
  const error = waiting.error ?? failed.error ?? rejected.error;
  if (!waiting.data || !failed.data || !rejected.data) {
    return error === null ? <Loading /> : <Failure error={error} onRetry={() => void waiting.refetch()} />;
  }
  const ended = [...failed.data, ...rejected.data].toSorted((one, other) =>
    other.createdAt.localeCompare(one.createdAt),
  );
  return (
    <div aria-live="polite">
      {waiting.data.length > 0 && (
        <>
          <h2>{text.waits}</h2>
          <TaskTable label={text.waits} tasks={waiting.data} />
        </>
      )}
      {ended.length > 0 && (
        <>
          <h2>{text.failed}</h2>
          <TaskTable label={text.failed} tasks={ended} />
        </>
      )}
      {waiting.data.length + ended.length === 0 && <p>{text.nothing}</p>}
    </div>
  );
}

interface SumsProps {
  readonly by: GroupBy;
  readonly title: string;
  readonly keyName: string;
  /** Shown even when nothing moved. */
  readonly keys?: readonly string[];
}

function Sums({ by, title, keyName, keys = [] }: SumsProps) {
  return (
    <Read of={useSums(by)}>
      {(sums) =>
        sums.length === 0 ? (
          <Empty>{text.noVolumes}</Empty>
        ) : (
          <BarChart
            title={title}
            keyName={keyName}
            series={[text.traded, text.retired, text.offramped]}
            total={text.all}
            groups={groupsOf(sums, keys)}
          />
        )
      }
    </Read>
  );
}

function Volumes() {
  const [months] = useState(() => lastMonths(Date.now()));
  return (
    <section>
      <h2>{text.volumes}</h2>
      <p>{text.volumesAbout}</p>
      <Sums by="month" title={text.byMonth} keyName={text.month} keys={months} />
      <div className={styles['beside']}>
        <Sums by="vintage" title={text.byVintage} keyName={text.vintage} />
        <Sums by="methodologyCode" title={text.byMethodology} keyName={text.methodology} />
      </div>
    </section>
  );
}

export default function ChannelPage() {
  const { data: me } = useMe();
  if (!me) return <Loading />;
  const mayRead = isOfChannel(me, 'TRANSACTION_ADMINISTRATOR');
  return (
    <Page title={text.title} aside={me.salesChannel?.name}>
      <Attention />
      {mayRead && <LatestTransactions />}
      {mayRead && <Volumes />}
    </Page>
  );
}
