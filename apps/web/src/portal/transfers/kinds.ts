import { formatNumber } from '../../shared/format/numbers.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { hasChannelRole, type Me } from '../me.ts';

/** Kinds of transfers, as in the address of their page. */
export const transferKinds = ['trade', 'retire', 'offramp'] as const;
export type TransferKind = (typeof transferKinds)[number];

export const transactionTypes = { trade: 'TRADE', retire: 'RETIREMENT', offramp: 'OFFRAMP' } as const;

/** Labels of buttons and headings. */
export const transferLabels = translate({ trade: 'Trade', retire: 'Retire', offramp: 'Offramp' });

export const mayTransfer = (me: Me, act: TransferKind): boolean =>
  hasChannelRole(me, act === 'offramp' ? 'ASSET_OFFRAMPER' : 'TRANSACTION_ADMINISTRATOR');

const text = translate({ bundles: (count: string) => (count === '1' ? '1 bundle' : `${count} bundles`) });

export const formatBundles = (count: number): string => text.bundles(formatNumber(count));
