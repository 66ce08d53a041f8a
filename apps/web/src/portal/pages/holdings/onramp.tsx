import { useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { groupFaults } from '../../../shared/api/problem.ts';
import { useSubmission } from '../../../shared/api/queries.ts';
import { formatNumber, formatTonnes } from '../../../shared/format/numbers.ts';
import { issuanceOf, extractSerial } from '../../../shared/format/serials.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { readText } from '../../../shared/ui/form-text.ts';
import { Select, Form } from '../../../shared/ui/form.tsx';
import { LongTable, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import { useChannelNames, useHolderProposals } from '../../holder/holder.ts';
import { holdingsKey } from '../../holder/holdings.tsx';
import { TransactionLink, transactionsKey, type HolderTransaction } from '../../holder/transactions.tsx';
import { sumAssets } from '../../holder/values.ts';

const text = translate({
  channel: 'Sales channel',
  bundles: 'Selected bundles',
  issuance: 'Issuance',
  first: 'First serial',
  last: 'Last serial',
  volume: 'Volume, t',
  onrampOf: (volume: string) => `List ${volume}`,
  onrampTitle: (volume: string) => `List ${volume} on a sales channel`,
  onrampAbout:
    'The certificates move into the sales channel, where its users can trade, retire or offramp them for you. Only ' +
    'the sales channel can return them to you, with an offramp.',
  onrampAtMost: (count: string) => `You can list at most ${count} bundles at once. Select fewer.`,
  noChannel: 'No sales channel has accepted you as a trader yet.',
  toListings: 'Apply to a sales channel',
  choose: 'Choose',
  cancel: 'Cancel',
  close: 'Close',
  done: (volume: string, channel: string) => `${volume} listed on ${channel}`,
  transaction: 'Transaction',
});

type Range = Pick<Schemas['Holding'], 'start' | 'end' | 'volume'>;

export interface Selected {
  readonly ranges: readonly Range[];
  readonly volume: bigint;
  has(range: Range): boolean;
  toggle(range: Range): void;
  clear(): void;
}

function useOnramp(): UseMutationResult<HolderTransaction, Error, Schemas['OnrampRequest']> {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: (body: Schemas['OnrampRequest']) => unwrapData(api.POST('/account-portal/onramps', { body })),
    onSuccess: () =>
      Promise.all([holdingsKey, transactionsKey].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

const SELECTIONS_AT_MOST = 1_000;
const SHOWN_AT_FIRST = 10;

const bundleColumns: readonly TableColumn<Selected['ranges'][number]>[] = [
  { name: text.issuance, wraps: true, cell: ({ start }) => <code>{issuanceOf(start)}</code> },
  { name: text.first, align: 'end', cell: ({ start }) => <code>{extractSerial(start)}</code> },
  { name: text.last, align: 'end', cell: ({ end }) => <code>{extractSerial(end)}</code> },
  { name: text.volume, align: 'end', cell: ({ volume }) => formatNumber(volume) },
];

interface OnrampProps {
  readonly selected: Selected;
  onDone(transaction: HolderTransaction): void;
  onClose(): void;
}

function OnrampForm({ selected, channelIds, onDone, onClose }: OnrampProps & { readonly channelIds: string[] }) {
  const nameOf = useChannelNames();
  const onramp = useOnramp();
  const { atFields, others } = groupFaults(onramp.error, ['/salesChannelId']);
  const assets = selected.ranges.map(({ start, end }) => ({ start, end }));
  const submit = (form: FormData): void => {
    const salesChannelId = readText(form, 'salesChannelId');
    if (salesChannelId !== undefined) onramp.mutate({ salesChannelId, assets }, { onSuccess: onDone });
  };
  return (
    <Form
      onSubmit={submit}
      faults={others}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button type="submit" look="primary" busy={onramp.isPending}>
            {text.onrampOf(formatTonnes(selected.volume))}
          </Button>
        </>
      }
    >
      <p>{text.onrampAbout}</p>
      <LongTable
        label={text.bundles}
        columns={bundleColumns}
        rows={selected.ranges}
        keyOf={({ start }) => start}
        shownAtFirst={SHOWN_AT_FIRST}
      />
      <Select
        label={text.channel}
        name="salesChannelId"
        required
        defaultValue={channelIds.length === 1 ? channelIds[0] : undefined}
        fault={atFields.get('/salesChannelId')}
      >
        {channelIds.length > 1 && <option value="">{text.choose}</option>}
        {channelIds.map((id) => (
          <option key={id} value={id}>
            {nameOf(id)}
          </option>
        ))}
      </Select>
      {onramp.error && atFields.size + others.length === 0 && <Failure error={onramp.error} />}
    </Form>
  );
}

/** Lists selected bundles on a sales channel that has accepted the account holder. */
export function Onramp(props: OnrampProps) {
  const { selected, onClose } = props;
  const proposals = useHolderProposals();
  const close = <Button onClick={onClose}>{text.close}</Button>;
  const content = (channelIds: string[]) => {
    if (selected.ranges.length > SELECTIONS_AT_MOST) {
      return <Empty action={close}>{text.onrampAtMost(formatNumber(SELECTIONS_AT_MOST))}</Empty>;
    }
    if (channelIds.length === 0) {
      return (
        <Empty action={close}>
          {text.noChannel} <Link href="/holder/listings">{text.toListings}</Link>
        </Empty>
      );
    }
    return <OnrampForm {...props} channelIds={channelIds} />;
  };
  return (
    <Dialog isWide title={text.onrampTitle(formatTonnes(selected.volume))} actions={null} onClose={onClose}>
      <Read of={proposals}>
        {(rows) =>
          content(rows.filter(({ status }) => status === 'ACCEPTED').map(({ salesChannelId }) => salesChannelId))
        }
      </Read>
    </Dialog>
  );
}

/** Result of the last onramp, shown until the next onramp. */
export function Listed({ transaction }: { readonly transaction: HolderTransaction }) {
  const { transactionId, assets, salesChannelName, salesChannelId } = transaction;
  return (
    <p role="status">
      {text.done(formatTonnes(sumAssets(assets)), salesChannelName ?? String(salesChannelId))}.{' '}
      <TransactionLink id={transactionId}>{text.transaction}</TransactionLink>
    </p>
  );
}
