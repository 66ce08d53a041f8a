import { useDeferredValue, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../../shared/api/problem.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import { Form, Group } from '../../../shared/ui/form.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { TraderChoice, useTrader } from '../../traders/traders.tsx';
import { transferKinds, transferLabels, useSelected, type TransferKind } from '../../transfers/transfers.ts';
import { checkTransfer, isRejection, groupTransferFaults, type TransferFaults } from './fields.ts';
import { TransferFields, SourceFields, sourceNames } from './form-fields.tsx';
import styles from './move.module.css';
import { Confirm, PlanView, buildPlanRequest, usePlan, type Plan } from './plan.tsx';
import { calculateTotal, buildBody } from './request.ts';
import { TaskView, NoResponse } from './task-view.tsx';
import { text } from './text.ts';
import { useTransferState, type TransferState } from './use-move.ts';

/** Text values of the form. */
const readFields = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));

interface TransferProps {
  readonly act: TransferKind;
  readonly traderId: string;
}

/** State of the form, and the plan for it. */
function useFormPlan({ act, traderId }: TransferProps) {
  const [filters, setFilter] = useFilters(sourceNames);
  const selected = useSelected(traderId);
  // Keeps typing responsive while the plan loads.
  const volume = useDeferredValue(filters.volume);
  const request = buildPlanRequest(
    act,
    filters.from === 'selected'
      ? { kind: 'selected', bundles: selected.bundles }
      : { kind: 'oldest', volume: volume ?? 'none', filters },
  );
  const starts = filters.from === 'selected' ? selected.bundles.map(({ start }) => start) : [];
  return { filters, setFilter, selected, request, starts, query: usePlan(act, traderId, request) };
}

/** Errors from the plan and from the sent request. */
function collectFaults(plan: Plan | undefined, planError: unknown, sendError: unknown): TransferFaults {
  const faultsIn = (error: unknown) => (error instanceof ApiError ? error.faults : []);
  return groupTransferFaults([...(plan?.faults ?? []), ...faultsIn(planError), ...faultsIn(sendError)]);
}

function BuyerChoice({ move, fault }: { readonly move: TransferState; readonly fault: string | undefined }) {
  const choose = (buyerId: string | undefined): void => move.change({ buyerId });
  return (
    <Group legend={text.deal}>
      <TraderChoice label={text.buyer} isRequired traderId={move.draft.buyerId} fault={fault} onChoose={choose} />
    </Group>
  );
}

function TransferForm({ act, traderId, move }: TransferProps & { readonly move: TransferState }) {
  const { filters, setFilter, selected, request, starts, query } = useFormPlan({ act, traderId });
  const trader = useTrader(traderId);
  const [confirmed, setConfirmed] = useState<Plan>();
  const { draft, error, isPending } = move;
  const plan = query.data;
  const isValid = plan !== undefined && plan.faults.length === 0 && !query.isFetching;
  // No plan is requested for a missing or invalid volume, which the form reports.
  const isAsked = request !== undefined || filters.from === 'selected';
  const faults = collectFaults(plan, query.error, isRejection(error) ? error : null);
  const trouble = query.error ?? (isRejection(error) ? error : null);
  const isExplained = faults.atFields.size + faults.atAssets.size + faults.others.length > 0;
  const total = plan && calculateTotal(act, draft.fields, plan.volume);
  const send = (planned: Plan): void =>
    move.send(
      draft.sent ?? {
        body: buildBody(act, draft, planned.selections),
        key: crypto.randomUUID(),
        volume: planned.volume,
        bundles: planned.selections.length,
      },
    );
  const review = (): void => {
    move.clearError();
    if (isValid) setConfirmed(plan);
  };
  if (draft.sent && !confirmed) {
    const { sent } = draft;
    return (
      <NoResponse
        sent={sent}
        isPending={isPending}
        error={error}
        onSend={() => move.send(sent)}
        onForget={move.forget}
      />
    );
  }
  const isConfirming = confirmed !== undefined && !isRejection(error);
  return (
    <div className={styles['sides']}>
      <Form
        onSubmit={review}
        check={(form) => checkTransfer(act, readFields(form), Date.now())}
        onChange={(form) => move.change({ fields: readFields(form) })}
        actions={
          <Button type="submit" look="primary" disabled={isAsked && !isValid}>
            {text.review}
          </Button>
        }
      >
        <SourceFields
          traderId={traderId}
          filters={filters}
          setFilter={setFilter}
          selected={selected}
          fault={faults.atFields.get('/volume')}
        />
        {act === 'trade' && <BuyerChoice move={move} fault={faults.atFields.get('/buyerId')} />}
        <TransferFields act={act} fields={draft.fields} faults={faults.atFields} />
      </Form>
      <PlanView
        plan={plan}
        isAsked={request !== undefined}
        error={isExplained ? null : trouble}
        faults={faults}
        starts={starts}
        total={total}
        onRetry={() => void query.refetch()}
      />
      {isConfirming && (
        <Confirm
          act={act}
          traderName={trader.data?.name ?? traderId}
          draft={draft}
          plan={confirmed}
          isPending={isPending}
          error={error}
          onSend={() => send(confirmed)}
          onClose={() => setConfirmed(undefined)}
        />
      )}
    </div>
  );
}

function Transfer({ act, traderId }: TransferProps) {
  const move = useTransferState(act, traderId);
  const { sent } = move.draft;
  const taskId = sent?.taskId;
  if (sent && taskId !== undefined) {
    const task = { ...sent, taskId };
    return <TaskView act={act} traderId={traderId} draft={move.draft} sent={task} onAnother={move.forget} />;
  }
  return <TransferForm act={act} traderId={traderId} move={move} />;
}

export default function MovePage() {
  const [path] = useLocation();
  const act = transferKinds.find((each) => path.endsWith(`/${each}`)) ?? 'trade';
  const [{ trader: traderId }, setFilter] = useFilters(sourceNames);
  const trader = useTrader(traderId);
  const title = trader.data ? text.titleOf(transferLabels[act], trader.data.name) : text.title(transferLabels[act]);
  return (
    <Page title={title}>
      {traderId === undefined ? (
        <>
          <p>{text.chooseTrader}</p>
          <TraderChoice traderId={traderId} onChoose={(id) => setFilter('trader', id)} />
        </>
      ) : (
        <Transfer key={`${act}:${traderId}`} act={act} traderId={traderId} />
      )}
    </Page>
  );
}
