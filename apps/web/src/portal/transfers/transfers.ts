import { toEqualityFilter, type Schemas } from '../../shared/api/client.ts';
import { formatNumber } from '../../shared/format/numbers.ts';
import { extractSerial, sumVolumes } from '../../shared/format/serials.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { writeStored, readStored, useStoredState } from '../../shared/session/session.ts';
import { hasChannelRole, type Me } from '../me.ts';

const text = translate({ bundles: (count: string) => (count === '1' ? '1 bundle' : `${count} bundles`) });

/** Kinds of transfers, as in the address of their page. */
export const transferKinds = ['trade', 'retire', 'offramp'] as const;
export type TransferKind = (typeof transferKinds)[number];

export const transactionTypes = { trade: 'TRADE', retire: 'RETIREMENT', offramp: 'OFFRAMP' } as const;

/** Labels of buttons and headings. */
export const transferLabels = translate({ trade: 'Trade', retire: 'Retire', offramp: 'Offramp' });

export const mayTransfer = (me: Me, act: TransferKind): boolean =>
  hasChannelRole(me, act === 'offramp' ? 'ASSET_OFFRAMPER' : 'TRANSACTION_ADMINISTRATOR');

export const formatBundles = (count: number): string => text.bundles(formatNumber(count));

export const filterNames = ['trader', 'vintage', 'methodologyCode', 'productionFacilityId', 'issuanceId'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** API filter by equality. */
export function toApiFilter(filters: Filters): Schemas['InventoryFilter'] | undefined {
  const { vintage, methodologyCode, productionFacilityId, issuanceId } = filters;
  return toEqualityFilter<Schemas['InventoryFilter']>({ vintage, methodologyCode, productionFacilityId, issuanceId });
}

/** Certificates of one issuance, inclusive. */
export interface Range {
  readonly start: string;
  readonly end: string;
}

const serial = (certificate: string): bigint => BigInt(extractSerial(certificate));

/** Resolution of the drawing. Arithmetic is exact up to this step. */
const SCALE = 10_000n;

/**
 * Offset and width of a part, in percent of its bundle. Computed in bigint, because serials exceed the range of a
 * number. Non-empty parts stay visible.
 */
export function layOutRange(part: Range, bundle: Range): { readonly from: number; readonly width: number } {
  const first = serial(bundle.start);
  const all = serial(bundle.end) - first + 1n;
  const percent = (count: bigint): number => Number((count * SCALE) / all) / 100;
  const width = Math.max(1, percent(serial(part.end) - serial(part.start) + 1n));
  return { from: Math.min(percent(serial(part.start) - first), 100 - width), width };
}

/** A bundle at the time of its selection. */
export interface SelectedBundle {
  readonly start: string;
  readonly end: string;
  readonly volume: number;
}

export interface Selected {
  readonly bundles: readonly SelectedBundle[];
  readonly volume: bigint;
  has(bundle: SelectedBundle): boolean;
  toggle(bundle: SelectedBundle): void;
  clear(): void;
}

export const selectionKey = (traderId: string): string => `selected:${traderId}`;

/** Selected bundles of a trader, in order of selection, kept across reloads. */
export function useSelected(traderId: string): Selected {
  const [bundles, setBundles] = useStoredState<readonly SelectedBundle[]>(selectionKey(traderId), () => []);
  const has = ({ start }: SelectedBundle): boolean => bundles.some((bundle) => bundle.start === start);
  return {
    bundles,
    volume: sumVolumes(bundles.map(({ volume }) => volume)),
    has,
    toggle({ start, end, volume }) {
      const others = bundles.filter((bundle) => bundle.start !== start);
      setBundles(others.length < bundles.length ? others : [...bundles, { start, end, volume }]);
    },
    clear: () => setBundles([]),
  };
}

/** The request as sent, to be repeated verbatim under its key. */
export interface Sent {
  readonly body: string;
  /** Idempotency-Key. Stored with the request, which may be repeated as long as the draft exists. */
  readonly key: string;
  readonly volume: number;
  readonly bundles: number;
  /** Undefined until a response arrives. */
  readonly taskId?: string;
}

/** State of one transfer form until its task exists. */
export interface Draft {
  readonly fields: Readonly<Record<string, string>>;
  readonly buyerId?: string | undefined;
  readonly sent?: Sent | undefined;
}

export const createDraft = (): Draft => ({ fields: {} });

export const draftKey = (act: TransferKind, traderId: string): string => `move:${act}:${traderId}`;

/** Starts a new draft if the last draft has a task. A draft without a response is kept. */
export function startDraft(act: TransferKind, traderId: string): void {
  const name = draftKey(act, traderId);
  if (readStored<Draft>(name)?.sent?.taskId !== undefined) writeStored(name, undefined);
}
