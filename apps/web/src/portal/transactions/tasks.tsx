import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, unwrapData, type Schemas } from '../../shared/api/client.ts';
import { formatDateTime } from '../../shared/format/time.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Table, type TableColumn } from '../../shared/ui/page.tsx';
import { Failure, Loading } from '../../shared/ui/state.tsx';
import { useTraderNames } from '../traders/traders.tsx';
import { TransactionStatus, transactionLabel } from './transactions.tsx';

const text = translate({
  created: 'Started, UTC',
  type: 'Type',
  status: 'State',
  trader: 'Trader',
  message: 'Message',
  transaction: 'Transaction',
  open: 'Open',
  openOf: (taskId: string) => `Open the transaction of task ${taskId}`,
  waits: 'In progress',
  failed: 'Failed or rejected in the last seven days',
  nothing: 'No transactions are in progress, and none failed in the last seven days.',
});

type ListedTask = Schemas['ListedTask'];

const SHOWN = 20;
const POLL_MS = 5_000;

/** Tasks of one status, newest first, polled while the page is open. */
export const useTasks = (
  status: ListedTask['status'],
  /** Earliest day of creation. */
  since?: string,
): UseQueryResult<readonly ListedTask[]> =>
  useQuery({
    queryKey: ['tasks', status, since ?? null],
    refetchInterval: POLL_MS,
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/tasks', {
          signal,
          headers: { 'X-Portal': 'background' },
          params: {
            query: {
              $filter: {
                status: { eq: status },
                ...(since !== undefined && { createdAt: { gte: `${since}T00:00:00Z` } }),
              },
              $limit: SHOWN,
            },
          },
        }),
      ),
  });

const buildColumns = (nameOf: (traderId: string) => string): readonly TableColumn<ListedTask>[] => [
  { name: text.created, cell: ({ createdAt }) => formatDateTime(createdAt) },
  { name: text.type, cell: ({ type }) => transactionLabel(type) },
  { name: text.status, cell: ({ status }) => <TransactionStatus status={status} /> },
  { name: text.trader, cell: ({ traderId }) => nameOf(traderId) },
  { name: text.message, cell: ({ message }) => message },
  {
    name: text.transaction,
    cell: ({ taskId, responsePayload: { id } }) =>
      id !== undefined && (
        <Link href={`/channel/transactions/${encodeURIComponent(id)}`} aria-label={text.openOf(taskId)}>
          {text.open}
        </Link>
      ),
  },
];

/** Tasks with links to their transactions. */
export function TaskTable({ label, tasks }: { readonly label: string; readonly tasks: readonly ListedTask[] }) {
  const nameOf = useTraderNames();
  return <Table label={label} columns={buildColumns(nameOf)} rows={tasks} keyOf={({ taskId }) => taskId} />;
}

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
