import { totalPrice } from '../../shared/format/money.ts';
import { formatNumber, formatPrice, formatTonnes } from '../../shared/format/numbers.ts';
import { issuanceOf, extractSerial, shortenId } from '../../shared/format/serials.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Table, type TableColumn } from '../../shared/ui/page.tsx';
import type { HolderTransaction } from './transactions.ts';
import { sumAssets } from './values.ts';

const text = translate({
  assets: 'Certificates',
  issuance: 'Issuance',
  first: 'First serial',
  last: 'Last serial',
  volume: 'Volume, t',
  unitPrice: 'Unit price',
  total: (volume: string) => `Total ${volume}`,
  totalUnpriced: (volume: string, currency: string) => `Total ${volume}, in ${currency} without a price`,
  totalFor: (volume: string, worth: string) => `Total ${volume} for ${worth}`,
});

type Asset = HolderTransaction['assets'][number];

/** @param currency null if there are no prices */
const buildColumns = (currency: string | null): TableColumn<Asset>[] => [
  { name: text.issuance, cell: ({ start }) => <code>{shortenId(issuanceOf(start) ?? start)}</code> },
  { name: text.first, align: 'end', cell: ({ start }) => <code>{extractSerial(start)}</code> },
  { name: text.last, align: 'end', cell: ({ end }) => <code>{extractSerial(end)}</code> },
  { name: text.volume, align: 'end', cell: ({ volume }) => formatNumber(volume) },
  ...(currency === null
    ? []
    : [
        {
          name: text.unitPrice,
          align: 'end' as const,
          cell: ({ unitPrice }: Asset) => (unitPrice === null ? null : formatPrice(unitPrice, currency)),
        },
      ]),
];

/** The API may return a currency without prices, which is shown too. */
function describeTotal(volume: string, assets: readonly Asset[], currency: string | null): string {
  if (currency === null) return text.total(volume);
  const worth = totalPrice(assets, currency);
  return worth === undefined ? text.totalUnpriced(volume, currency) : text.totalFor(volume, worth);
}

/** Certificates of a transaction with prices and totals. */
export function Assets({ transaction: { assets, currency } }: { readonly transaction: HolderTransaction }) {
  const volume = formatTonnes(sumAssets(assets));
  const isPriced = assets.some(({ unitPrice }) => unitPrice !== null);
  return (
    <>
      <Table
        label={text.assets}
        columns={buildColumns(isPriced ? currency : null)}
        rows={assets}
        keyOf={({ start }) => start}
      />
      <p>{describeTotal(volume, assets, currency)}</p>
    </>
  );
}
