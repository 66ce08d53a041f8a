import { Link } from 'wouter';
import { dateTime } from '../../shared/format/time.ts';
import { translated } from '../../shared/i18n/messages.ts';
import { Table, type TableColumn } from '../../shared/ui/page.tsx';
import { useTraderNames } from '../traders/trader-names.ts';
import type { ListedTask } from './tasks.ts';
import { TransactionStatus, wordFor } from './transactions.tsx';

const text = translated({
  created: 'Started, UTC',
  type: 'Type',
  status: 'State',
  trader: 'Trader',
  message: 'Message',
  transaction: 'Transaction',
  open: 'Open',
  openOf: (taskId: string) => `Open the transaction of task ${taskId}`,
});

const columnsFor = (nameOf: (traderId: string) => string): readonly TableColumn<ListedTask>[] => [
  { name: text.created, cell: ({ createdAt }) => dateTime(createdAt) },
  { name: text.type, cell: ({ type }) => wordFor(type) },
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

/** Tasks, each with its transaction once there is one. */
export function TaskTable({ label, tasks }: { readonly label: string; readonly tasks: readonly ListedTask[] }) {
  const nameOf = useTraderNames();
  return <Table label={label} columns={columnsFor(nameOf)} rows={tasks} keyOf={({ taskId }) => taskId} />;
}
