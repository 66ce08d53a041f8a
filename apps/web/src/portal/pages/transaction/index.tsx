import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf, type Schemas } from '../../../shared/api/client.ts';
import { digits, price, tonnes } from '../../../shared/format/numbers.ts';
import { issuanceOf, serialOf, sum } from '../../../shared/format/serials.ts';
import { dateTime, day } from '../../../shared/format/time.ts';
import { translated } from '../../../shared/i18n/messages.ts';
import type { PageProps } from '../../../shared/shell/pages.ts';
import { Facts, Page, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { isOfChannel, useMe } from '../../me.ts';
import { useTrader } from '../../traders/traders.ts';
import { TransactionStatus, wordFor } from '../../transactions/transactions.tsx';

type Detail = Schemas['TransactionDetail'];
type Asset = Schemas['TransactionAsset'];

const text = translated({
  title: (type: string, volume: string) => `${type} of ${volume}`,
  loading: 'Transaction',
  id: 'Transaction',
  status: 'Status',
  seller: 'Seller',
  buyer: 'Buyer',
  created: 'Created, UTC',
  completed: 'Completed, UTC',
  reason: 'Reason',
  beneficiary: 'Beneficiary',
  beneficiaryLocation: 'Location',
  country: 'Country of use',
  purpose: 'Purpose',
  period: 'Period of use',
  days: (from: string, to: string) => `${from} to ${to}`,
  usage: 'Use',
  assets: 'Certificates',
  issuance: 'Issuance',
  first: 'First serial',
  last: 'Last serial',
  volume: 'Volume, t',
  unitPrice: 'Price of one',
  noPrice: 'none',
});

const usages = translated({
  BUNDLED_WITH_PRODUCT_OR_SERVICE: 'bundled with a product or service',
  DISCLOSURE: 'disclosure',
  GENERIC_COMPENSATION: 'generic compensation',
  OTHER: 'other',
  SPECIFIC_ACTIVITY_LIKE_FLIGHTS: 'a specific activity, such as flights',
  SUPPORT: 'support',
});

const useDetail = (transactionId: string) =>
  useQuery({
    queryKey: ['transaction', transactionId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/saleschannel-services/v1/transactions/{transactionId}/detail', {
          signal,
          params: { path: { transactionId } },
        }),
      ),
  });

/** A trader by its name, for those who may read it, and by its id. */
function TraderName({ id }: { readonly id: string }) {
  const { data: me } = useMe();
  const mayRead = me !== undefined && isOfChannel(me, 'TRADER_VIEWER', 'TRADER_ADMINISTRATOR');
  const trader = useTrader(mayRead ? id : undefined);
  return (
    <>
      {trader.data?.name} <code>{id}</code>
    </>
  );
}

const columnsFor = (currency: string | null): TableColumn<Asset>[] => [
  { name: text.issuance, cell: ({ start }) => <code>{issuanceOf(start)}</code> },
  { name: text.first, align: 'end', cell: ({ start }) => <code>{serialOf(start)}</code> },
  { name: text.last, align: 'end', cell: ({ end }) => <code>{serialOf(end)}</code> },
  { name: text.volume, align: 'end', cell: ({ volume }) => digits(volume) },
  {
    name: text.unitPrice,
    align: 'end',
    cell: ({ unitPrice }) => (unitPrice === null || currency === null ? text.noPrice : price(unitPrice, currency)),
  },
];

const retirementFacts = (retirement: Detail['retirement']): readonly (readonly [string, ReactNode])[] =>
  retirement === null
    ? []
    : [
        [text.beneficiary, retirement.beneficiaryName],
        [text.beneficiaryLocation, retirement.beneficiaryLocation],
        [text.country, retirement.consumptionCountryCode],
        [text.period, text.days(day(retirement.consumptionPeriod.start), day(retirement.consumptionPeriod.end))],
        [text.usage, usages[retirement.usageType]],
        [text.purpose, retirement.retirementPurpose],
      ];

function Transaction({ detail }: { readonly detail: Detail }) {
  return (
    <>
      <Facts
        of={[
          [text.id, <code key="id">{detail.id}</code>],
          [text.status, <TransactionStatus key="status" status={detail.status} />],
          [text.reason, detail.reason],
          [text.seller, <TraderName key="seller" id={detail.sellerId} />],
          [text.buyer, detail.buyerId === null ? null : <TraderName key="buyer" id={detail.buyerId} />],
          [text.created, dateTime(detail.createdAt)],
          [text.completed, detail.completedAt === null ? null : dateTime(detail.completedAt)],
          ...retirementFacts(detail.retirement),
        ]}
      />
      <h2>{text.assets}</h2>
      <Table
        label={text.assets}
        columns={columnsFor(detail.currency)}
        rows={detail.assets}
        keyOf={({ start }) => start}
      />
    </>
  );
}

export default function TransactionPage({ parameters }: PageProps) {
  const detail = useDetail(parameters['id'] ?? 'none');
  const title = detail.data
    ? text.title(wordFor(detail.data.type), tonnes(sum(detail.data.assets.map(({ volume }) => volume))))
    : text.loading;
  return (
    <Page title={title}>
      <Read of={detail}>{(data) => <Transaction detail={data} />}</Read>
    </Page>
  );
}
