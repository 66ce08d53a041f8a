import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { api, unwrapData } from '../../../shared/api/client.ts';
import { formatTonnes } from '../../../shared/format/numbers.ts';
import { Button, ButtonLink } from '../../../shared/ui/button.tsx';
import { Facts } from '../../../shared/ui/page.tsx';
import { Failure, Loading } from '../../../shared/ui/state.tsx';
import { useTrader } from '../../traders/traders.tsx';
import { TransactionStatus } from '../../transactions/transactions.tsx';
import { transferLabels, type Draft, type Sent, type TransferKind } from '../../transfers/transfers.ts';
import styles from './move.module.css';
import { buildReview } from './request.ts';
import { text } from './text.ts';
import { useTask } from './use-move.ts';

/** Queries to reload when a task ends. */
const CHANGED = ['inventory', 'transactions', 'transaction', 'tasks', 'sums'];

/** Public statement of a completed retirement. */
const useStatementId = (transactionId: string | undefined) =>
  useQuery({
    queryKey: ['transaction', transactionId],
    enabled: transactionId !== undefined,
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/transactions/{transactionId}/detail', {
          signal,
          params: { path: { transactionId: String(transactionId) } },
        }),
      ),
    select: ({ statement }) => statement?.id,
  });

interface TaskViewProps {
  readonly act: TransferKind;
  readonly traderId: string;
  readonly draft: Pick<Draft, 'fields' | 'buyerId'>;
  readonly sent: Sent & { readonly taskId: string };
  onAnother(): void;
}

/** Follows a task to its end and shows the result. */
export function TaskView({ act, traderId, draft, sent, onAnother }: TaskViewProps) {
  const queries = useQueryClient();
  const { data, error, refetch } = useTask(act, traderId, sent.taskId);
  const task = data?.task;
  const isDone = task !== undefined && task.status !== 'PENDING';
  useEffect(() => {
    if (isDone) for (const name of CHANGED) void queries.invalidateQueries({ queryKey: [name] });
  }, [isDone, queries]);
  const transactionId = task?.responsePayload.id;
  const [trader, buyer] = [useTrader(traderId), useTrader(draft.buyerId)];
  const review = buildReview(act, {
    ...sent,
    fields: draft.fields,
    traderName: trader.data?.name ?? traderId,
    buyerName: buyer.data?.name ?? draft.buyerId ?? text.noName,
  });
  const statement = useStatementId(act === 'retire' && task?.status === 'SUCCESS' ? transactionId : undefined);
  return (
    <section aria-labelledby="task">
      <h2 id="task">{text.confirm(transferLabels[act], formatTonnes(sent.volume))}</h2>
      <div role="status">
        {task ? (
          <Facts
            of={[
              [text.state, <TransactionStatus key="state" status={task.status} />],
              [text.message, task.message],
              [text.taskId, <code key="id">{task.taskId}</code>],
              [text.transaction, transactionId === undefined ? null : <code key="id">{transactionId}</code>],
            ]}
          />
        ) : (
          error === null && <Loading />
        )}
        {task?.status === 'PENDING' && <p>{text.live}</p>}
      </div>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      <Facts of={review} />
      <div className={styles['actions']}>
        {transactionId !== undefined && (
          <Link href={`/channel/transactions/${encodeURIComponent(transactionId)}`}>{text.openTransaction}</Link>
        )}
        {statement.data !== undefined && <a href={`/r/${statement.data}`}>{text.openStatement}</a>}
        <Link href={`/channel/inventory?trader=${encodeURIComponent(traderId)}`}>{text.backToInventory}</Link>
        {isDone && <Button onClick={onAnother}>{text.another}</Button>}
      </div>
    </section>
  );
}

interface NoResponseProps {
  readonly sent: Sent;
  readonly isPending: boolean;
  readonly error: unknown;
  onSend(): void;
  onForget(): void;
}

/** Shown after a lost response, or a reload during the request. */
export function NoResponse({ sent, isPending, error, onSend, onForget }: NoResponseProps) {
  return (
    <section aria-labelledby="unanswered" className={styles['unanswered']}>
      <h2 id="unanswered">{text.unanswered}</h2>
      <div role="status">
        <p>{text.unansweredWhy(formatTonnes(sent.volume))}</p>
      </div>
      {error !== null && <Failure error={error} />}
      <div className={styles['actions']}>
        <Button look="primary" busy={isPending} onClick={onSend}>
          {text.sendAgain}
        </Button>
        <Button onClick={onForget} disabled={isPending}>
          {text.forget}
        </Button>
        <span>{text.forgetWhy}</span>
        <ButtonLink look="quiet" href="/channel/transactions">
          {text.toTransactions}
        </ButtonLink>
      </div>
    </section>
  );
}
