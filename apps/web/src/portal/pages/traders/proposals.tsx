import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import { useProposals, type Proposal } from '../../traders/traders.ts';
import { text } from './text.ts';
import { useAnswerProposal } from './trader-changes.ts';

type Answer = 'accept' | 'reject';

function Answering({
  proposal,
  answer,
  onClose,
}: {
  readonly proposal: Proposal;
  readonly answer: Answer;
  onClose(): void;
}) {
  const answering = useAnswerProposal(proposal.id);
  const isAccept = answer === 'accept';
  return (
    <Dialog
      title={isAccept ? text.acceptOf(proposal.name) : text.rejectOf(proposal.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            look={isAccept ? 'primary' : 'danger'}
            busy={answering.isPending}
            onClick={() => answering.mutate(answer, { onSuccess: onClose })}
          >
            {isAccept ? text.acceptOf(proposal.name) : text.rejectOf(proposal.name)}
          </Button>
        </>
      }
    >
      <p>
        {text.businessId} {proposal.businessId}
      </p>
      {!isAccept && <p>{text.rejectWhy}</p>}
      {answering.error && <Failure error={answering.error} />}
    </Dialog>
  );
}

const buildColumns = (
  mayAnswer: boolean,
  choose: (proposal: Proposal, answer: Answer) => void,
): TableColumn<Proposal>[] => [
  { name: text.name, cell: ({ name }) => name },
  { name: text.businessId, cell: ({ businessId }) => businessId },
  ...(mayAnswer
    ? [
        {
          name: text.accept,
          cell: (proposal: Proposal) => (
            <Button look="quiet" aria-label={text.acceptOf(proposal.name)} onClick={() => choose(proposal, 'accept')}>
              {text.accept}
            </Button>
          ),
        },
        {
          name: text.reject,
          cell: (proposal: Proposal) => (
            <Button look="quiet" aria-label={text.rejectOf(proposal.name)} onClick={() => choose(proposal, 'reject')}>
              {text.reject}
            </Button>
          ),
        },
      ]
    : []),
];

/** Pending proposals. */
export function Proposals({ mayAnswer }: { readonly mayAnswer: boolean }) {
  const proposals = useProposals();
  const [chosen, setChosen] = useState<{ readonly proposal: Proposal; readonly answer: Answer }>();
  return (
    <section>
      <h2>{text.proposals}</h2>
      <p>{text.proposalsAbout}</p>
      <Read of={proposals}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{text.noProposals}</Empty>
          ) : (
            <Table
              label={text.proposals}
              columns={buildColumns(mayAnswer, (proposal, answer) => setChosen({ proposal, answer }))}
              rows={rows}
              keyOf={({ id }) => id}
            />
          )
        }
      </Read>
      {chosen && <Answering {...chosen} onClose={() => setChosen(undefined)} />}
    </section>
  );
}
