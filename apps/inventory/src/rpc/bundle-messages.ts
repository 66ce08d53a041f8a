import {
  formatCertificateIdPrefix,
  formatCsvRow,
  formatCertificateRef,
  formatSerial,
  countCertificates,
  type CsvColumns,
} from '@saleschannel/primitives';
import type { IssuanceFacts } from '../store/bundle-views.ts';
import type { HoldingView, HoldingFacts } from '../store/holding-lists.ts';
import type { ListedBundle } from '../store/inventory-lists.ts';
import {
  toCertificateRef,
  createCsvForm,
  isCsv,
  createJsonForm,
  toVolume,
  type Format,
  type ListForm,
} from './messages.ts';

/** Bundles of inventories and holdings. Both lists can be very long, so JSON is assembled from prepared text. */

/** Text that all bundles of an issuance share. */
interface IssuanceText<Issuance extends IssuanceFacts> {
  readonly issuance: Issuance;
  /** Members of a JSON object, without braces. */
  readonly facts: string;
  readonly certificatesLead: string;
}

interface BundleText {
  readonly facts: string;
  readonly volume: bigint;
  /** The members `certificates`, `start` and `end`. */
  readonly range: string;
}

/**
 * Returns a function that writes bundles as JSON, one after the other. Few issuances have many consecutive bundles, so
 * the text of an issuance is kept for the next bundle. Ids of issuances and serials need no escaping.
 * @param toFacts members that depend on the issuance alone
 */
function createRenderer<Issuance extends IssuanceFacts, Bundle extends ListedBundle & { readonly issuance: Issuance }>(
  toFacts: (issuance: Issuance) => object,
  assemble: (text: BundleText, bundle: Bundle) => string,
): (bundle: Bundle) => string {
  let text: IssuanceText<Issuance> | undefined;
  return (bundle) => {
    const { issuance } = bundle;
    text = text?.issuance === issuance ? text : toIssuanceText(issuance, toFacts(issuance));
    return assemble(toBundleText(text, bundle), bundle);
  };
}

const toIssuanceText = <Issuance extends IssuanceFacts>(issuance: Issuance, facts: object): IssuanceText<Issuance> => ({
  issuance,
  facts: withoutBraces(JSON.stringify(facts)),
  certificatesLead: JSON.stringify(formatCertificateIdPrefix(issuance)).slice(0, -'"'.length),
});

const withoutBraces = (json: string): string => json.slice('{'.length, -'}'.length);

function toBundleText(
  { issuance: { issuanceId, serialWidth: width }, facts, certificatesLead }: IssuanceText<IssuanceFacts>,
  { first, last }: Pick<ListedBundle, 'first' | 'last'>,
): BundleText {
  const [firstSerial, lastSerial] = [BigInt(first), BigInt(last)];
  const [start, end] = [formatSerial(firstSerial, { width }), formatSerial(lastSerial, { width })];
  const [startRef, endRef] = [formatCertificateRef(issuanceId, start), formatCertificateRef(issuanceId, end)];
  const certificates = `"certificates":${certificatesLead}${start}-${end}"`;
  return {
    facts,
    volume: countCertificates({ first: firstSerial, last: lastSerial }),
    range: `${certificates},"start":"${startRef}","end":"${endRef}"`,
  };
}

const createAssetRenderer = (): ((bundle: ListedBundle) => string) =>
  createRenderer<IssuanceFacts, ListedBundle>(
    (issuance) => ({
      productionFacilityId: issuance.facilityId,
      supplierId: issuance.supplierId,
      methodologyCode: issuance.methodologyCode,
      issuingDate: issuance.issuingDate,
      expirationDate: issuance.expirationDate,
      creditTypeId: issuance.creditTypeId,
      standard: issuance.standard,
      countryCode: issuance.countryCode,
      productionStartDate: issuance.productionStartDate,
      productionEndDate: issuance.productionEndDate,
      vintage: issuance.vintage,
      issuanceId: issuance.issuanceId,
    }),
    ({ facts, volume, range }) => `{"volume":${volume},${facts},${range}}`,
  );

const createHoldingRenderer = (): ((holding: HoldingView) => string) =>
  createRenderer<HoldingFacts, HoldingView>(
    (issuance) => ({
      issuanceId: issuance.issuanceId,
      vintage: issuance.vintage,
      productionFacilityId: issuance.facilityId,
      productionFacilityCode: issuance.facilityCode,
      productionFacilityName: issuance.facilityName,
      methodologyCode: issuance.methodologyCode,
      countryCode: issuance.countryCode,
      issuingDate: issuance.issuingDate,
      expirationDate: issuance.expirationDate,
    }),
    ({ facts, volume, range }, { state, trader }) => {
      const owner = { state, salesChannelId: trader?.salesChannelId ?? null, traderId: trader?.traderId ?? null };
      return `{${facts},"volume":${volume},${range},${withoutBraces(JSON.stringify(owner))}}`;
    },
  );

const writeSerial = ({ issuance: { serialWidth: width } }: ListedBundle, serial: string): string =>
  formatSerial(BigInt(serial), { width });

const rangeColumns = {
  volume: (bundle) => String(toVolume(bundle)),
  certificates: (bundle) => {
    const prefix = formatCertificateIdPrefix(bundle.issuance);
    return `${prefix}${writeSerial(bundle, bundle.first)}-${writeSerial(bundle, bundle.last)}`;
  },
  start: ({ issuance, first }) => toCertificateRef(issuance, first),
  end: ({ issuance, last }) => toCertificateRef(issuance, last),
} satisfies CsvColumns<ListedBundle>;

const assetColumns: CsvColumns<ListedBundle> = {
  volume: rangeColumns.volume,
  productionFacilityId: ({ issuance }) => issuance.facilityId,
  supplierId: ({ issuance }) => issuance.supplierId,
  methodologyCode: ({ issuance }) => issuance.methodologyCode,
  issuingDate: ({ issuance }) => issuance.issuingDate,
  expirationDate: ({ issuance }) => issuance.expirationDate,
  creditTypeId: ({ issuance }) => issuance.creditTypeId,
  standard: ({ issuance }) => issuance.standard,
  countryCode: ({ issuance }) => issuance.countryCode,
  productionStartDate: ({ issuance }) => issuance.productionStartDate,
  productionEndDate: ({ issuance }) => issuance.productionEndDate,
  vintage: ({ issuance }) => String(issuance.vintage),
  issuanceId: ({ issuance }) => issuance.issuanceId,
  certificates: rangeColumns.certificates,
  start: rangeColumns.start,
  end: rangeColumns.end,
};

/** Bundles of an inventory. In CSV, one record each. */
export const createAssetForm = (format: Format): ListForm<ListedBundle> =>
  isCsv(format)
    ? createCsvForm(assetColumns, (bundle) => formatCsvRow(assetColumns, bundle))
    : createJsonForm(createAssetRenderer());

const holdingColumns: CsvColumns<HoldingView> = {
  issuanceId: ({ issuance }) => issuance.issuanceId,
  vintage: ({ issuance }) => String(issuance.vintage),
  productionFacilityId: ({ issuance }) => issuance.facilityId,
  productionFacilityCode: ({ issuance }) => issuance.facilityCode,
  productionFacilityName: ({ issuance }) => issuance.facilityName,
  methodologyCode: ({ issuance }) => issuance.methodologyCode,
  countryCode: ({ issuance }) => issuance.countryCode,
  issuingDate: ({ issuance }) => issuance.issuingDate,
  expirationDate: ({ issuance }) => issuance.expirationDate,
  ...rangeColumns,
  state: ({ state }) => state,
  salesChannelId: ({ trader }) => trader?.salesChannelId ?? null,
  traderId: ({ trader }) => trader?.traderId ?? null,
};

/** Bundles of an account holder. In CSV, one record each. */
export const createHoldingForm = (format: Format): ListForm<HoldingView> =>
  isCsv(format)
    ? createCsvForm(holdingColumns, (holding) => formatCsvRow(holdingColumns, holding))
    : createJsonForm(createHoldingRenderer());
