import type { ReactNode } from 'react';
import { formatMoney, formatNumber, formatPrice, formatTonnes } from '../../../shared/format/numbers.ts';
import { issuanceOf, extractSerial, shortenSerial, sumVolumes } from '../../../shared/format/serials.ts';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import type { PageProps } from '../../../shared/shell/pages.ts';
import { Facts, Page, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { useMe } from '../../me.ts';
import { describeRetirement } from '../../transactions/retirement.ts';
import { TransactionStatus, transactionLabel } from '../../transactions/transactions.tsx';
import { RangeBar } from '../../transfers/range-bar.tsx';
import { useDetail, Statement, type Detail } from './statement.tsx';

const text = translate({
  title: (type: string, volume: string) => `${type} of ${volume}`,
  loading: 'Transaction',
  id: 'Transaction',
  status: 'Status',
  seller: 'Seller',
  owner: 'Owner',
  buyer: 'Buyer',
  created: 'Created, UTC',
  completed: 'Completed, UTC',
  reason: 'Reason',
  task: 'Task',
  reference: 'Your reference',
  metadata: 'Your notes',
  metadataName: 'Name',
  metadataValue: 'Value',
  requestedBy: 'Requested by',
  withKey: (keyId: string) => `with the API key ${keyId}`,
  itself: 'you',
  retirement: 'Retirement',
  assets: 'Certificates',
  issuance: 'Issuance',
  first: 'First serial',
  last: 'Last serial',
  volume: 'Volume, t',
  unitPrice: 'Unit price',
  currency: 'Currency',
  total: 'Total price',
  noPrice: 'none',
  lineage: 'Origin of the certificates',
  lineageAbout: 'Each bar is a bundle as it was before the transaction. The filled part was moved, the rest stayed.',
  bundle: 'Bundle, t',
  moved: 'Moved, t',
  drawing: 'Share of the bundle',
  before: 'Kept before',
  after: 'Kept after',
  nothing: 'nothing',
  range: (volume: string, first: string, last: string) => `${volume}, ${first} to ${last}`,
});

type Step = Detail['lineage'][number];

/** A step with the moved volume, as counted by the API. */
type Row = Step & { readonly volume: number };

const formatRemainder = (range: Step['before']): string =>
  range === null
    ? text.nothing
    : text.range(formatTonnes(range.volume), shortenSerial(range.start), shortenSerial(range.end));

const lineageColumns: readonly TableColumn<Row>[] = [
  { name: text.issuance, cell: ({ start }) => <code>{issuanceOf(start)}</code> },
  { name: text.bundle, align: 'end', cell: ({ bundle }) => formatNumber(bundle.volume) },
  { name: text.moved, align: 'end', cell: ({ volume }) => formatNumber(volume) },
  { name: text.drawing, cell: ({ bundle, start, end }) => <RangeBar bundle={bundle} part={{ start, end }} /> },
  { name: text.before, cell: ({ before }) => formatRemainder(before) },
  { name: text.after, cell: ({ after }) => formatRemainder(after) },
];

/** Source bundles of the certificates, and their remainders. */
function Lineage({ detail }: { readonly detail: Detail }) {
  if (detail.lineage.length === 0) return null;
  // Steps and assets have the same order.
  const rows = detail.lineage.map((step, index) => ({ ...step, volume: detail.assets[index]?.volume ?? 0 }));
  return (
    <section>
      <h2>{text.lineage}</h2>
      <p>{text.lineageAbout}</p>
      <Table label={text.lineage} columns={lineageColumns} rows={rows} keyOf={({ start }) => start} />
    </section>
  );
}

type Asset = Detail['assets'][number];
type Party = Detail['seller'];

const buildColumns = (currency: string | null): TableColumn<Asset>[] => [
  { name: text.issuance, cell: ({ start }) => <code>{issuanceOf(start)}</code> },
  { name: text.first, align: 'end', cell: ({ start }) => <code>{extractSerial(start)}</code> },
  { name: text.last, align: 'end', cell: ({ end }) => <code>{extractSerial(end)}</code> },
  { name: text.volume, align: 'end', cell: ({ volume }) => formatNumber(volume) },
  {
    name: text.unitPrice,
    align: 'end',
    cell: ({ unitPrice }) =>
      unitPrice === null || currency === null ? text.noPrice : formatPrice(unitPrice, currency),
  },
];

const formatParty = ({ id, name }: Party): ReactNode => (
  <span key={id}>
    {name} <code>{id}</code>
  </span>
);

function Requester({ by: { userId, keyId } }: { readonly by: NonNullable<Detail['requestedBy']> }) {
  const { data: me } = useMe();
  return (
    <>
      {me?.userId === userId && `${text.itself}, `}
      <code>{userId}</code>
      {keyId !== null && ` ${text.withKey(keyId)}`}
    </>
  );
}

const Retirement = ({ of }: { readonly of: NonNullable<Detail['retirement']> }) => (
  <section>
    <h2>{text.retirement}</h2>
    <Facts of={describeRetirement(of)} />
  </section>
);

const metadataColumns: readonly TableColumn<readonly [string, string]>[] = [
  { name: text.metadataName, cell: ([name]) => <code>{name}</code> },
  { name: text.metadataValue, cell: ([, value]) => value },
];

function Metadata({ of }: { readonly of: Detail['metadata'] }) {
  // A ledger of the previous release returns no metadata.
  const members = Object.entries({ ...of });
  if (members.length === 0) return null;
  return (
    <section>
      <h2>{text.metadata}</h2>
      <Table label={text.metadata} columns={metadataColumns} rows={members} keyOf={([name]) => name} />
    </section>
  );
}

function Transaction({ detail }: { readonly detail: Detail }) {
  return (
    <>
      <Facts
        of={[
          [text.status, <TransactionStatus key="status" status={detail.status} />],
          [text.reason, detail.reason],
          [detail.type === 'TRADE' ? text.seller : text.owner, formatParty(detail.seller)],
          [text.buyer, detail.buyer && formatParty(detail.buyer)],
          [text.created, formatDateTime(detail.createdAt)],
          [text.completed, detail.completedAt === null ? null : formatDateTime(detail.completedAt)],
          [text.requestedBy, detail.requestedBy && <Requester key="by" by={detail.requestedBy} />],
          [text.currency, detail.currency],
          [text.total, formatMoney(detail.totals.price, detail.totals.currency)],
          [text.reference, detail.externalReference],
          [text.id, <code key="id">{detail.id}</code>],
          [text.task, <code key="task">{detail.taskId}</code>],
        ]}
      />
      {detail.retirement && <Retirement of={detail.retirement} />}
      <Metadata of={detail.metadata} />
      <h2>{text.assets}</h2>
      <Table
        label={text.assets}
        columns={buildColumns(detail.currency)}
        rows={detail.assets}
        keyOf={({ start }) => start}
      />
      <Lineage detail={detail} />
      {detail.statement && <Statement detail={detail} settings={detail.statement} />}
    </>
  );
}

export default function TransactionPage({ parameters }: PageProps) {
  const detail = useDetail(parameters['id'] ?? 'none');
  const title = detail.data
    ? text.title(
        transactionLabel(detail.data.type),
        formatTonnes(sumVolumes(detail.data.assets.map(({ volume }) => volume))),
      )
    : text.loading;
  return (
    <Page title={title}>
      <Read of={detail}>{(data) => <Transaction detail={data} />}</Read>
    </Page>
  );
}
