import { useState } from 'react';
import { translate } from '../../shared/i18n/messages.ts';
import { Failure, Loading } from '../../shared/ui/state.tsx';
import { TaskTable, useTasks } from './tasks.tsx';

const text = translate({
  waits: 'In progress',
  failed: 'Failed or rejected in the last seven days',
  nothing: 'No transactions are in progress, and none failed in the last seven days.',
});
const WEEK_MS = 7 * 86_400_000;

const weekAgo = (): string => new Date(Date.now() - WEEK_MS).toISOString().slice(0, 10);

/** Transactions that may need attention. */
export function Attention() {
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
