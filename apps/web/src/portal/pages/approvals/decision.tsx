import { useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useSubmission } from '../../../shared/api/use-submission.ts';
import { api, dataOf } from '../../../shared/api/client.ts';
import { tonnes } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Facts } from '../../../shared/ui/page.tsx';
import { Failure } from '../../../shared/ui/state.tsx';
import { Assets } from '../../holder/assets.tsx';
import { typeWord } from '../../holder/status.tsx';
import { transactionsKey, type HolderTransaction } from '../../holder/transactions.ts';
import { volumeOf } from '../../holder/values.ts';
import { retirementFacts } from '../../transactions/retirement.ts';
import { text } from './text.ts';

export type Answer = 'approve' | 'reject';

function useDecision(transactionId: string): UseMutationResult<HolderTransaction, Error, Answer> {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: (answer: Answer) => {
      const options = { params: { path: { transactionId } } };
      const path = '/account-portal/transactions/{transactionId}';
      return answer === 'approve'
        ? dataOf(api.POST(`${path}/approve`, options))
        : dataOf(api.POST(`${path}/reject`, options));
    },
    // Also when it failed: somebody else may have decided meanwhile.
    onSettled: () =>
      Promise.all([transactionsKey, ['holder', 'holdings']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

interface DecisionProps {
  readonly transaction: HolderTransaction;
  readonly answer: Answer;
  onClose(): void;
}

/** The answer to a sale that waits, after a look at all of it. */
export function Decision({ transaction, answer, onClose }: DecisionProps) {
  const decision = useDecision(transaction.transactionId);
  const [type, volume] = [typeWord(transaction.type).toLowerCase(), tonnes(volumeOf(transaction.assets))];
  const act = answer === 'approve' ? text.approveOf(type, volume) : text.rejectOf(type, volume);
  const hasFailed = decision.data?.status === 'FAILED';
  const close = (done: HolderTransaction): void => {
    if (done.status !== 'FAILED') onClose();
  };
  return (
    <Dialog
      title={act}
      onClose={onClose}
      actions={
        hasFailed ? (
          <Button onClick={onClose}>{text.close}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{text.cancel}</Button>
            <Button
              look={answer === 'approve' ? 'primary' : 'danger'}
              busy={decision.isPending}
              onClick={() => decision.mutate(answer, { onSuccess: close })}
            >
              {act}
            </Button>
          </>
        )
      }
    >
      {hasFailed && <p role="alert">{text.failed}</p>}
      <Facts
        of={[
          [text.channel, transaction.salesChannelName ?? transaction.salesChannelId],
          [text.buyer, transaction.buyerName ?? transaction.buyerId],
          ...(transaction.retirement ? retirementFacts(transaction.retirement) : []),
        ]}
      />
      <Assets transaction={transaction} />
      <p>{answer === 'approve' ? text.approveWhy : text.rejectWhy}</p>
      {decision.error && <Failure error={decision.error} />}
    </Dialog>
  );
}
