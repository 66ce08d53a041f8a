import { digits } from '../../shared/format/numbers.ts';
import { translated } from '../../shared/i18n/messages.ts';
import { isOfChannel, type Me } from '../me.ts';

/** Kinds of transfers, as in the address of their page. */
export const acts = ['trade', 'retire', 'offramp'] as const;
export type Act = (typeof acts)[number];

export const typeOf = { trade: 'TRADE', retire: 'RETIREMENT', offramp: 'OFFRAMP' } as const;

/** Labels of buttons and headings. */
export const actText = translated({ trade: 'Trade', retire: 'Retire', offramp: 'Offramp' });

export const mayDo = (me: Me, act: Act): boolean =>
  isOfChannel(me, act === 'offramp' ? 'ASSET_OFFRAMPER' : 'TRANSACTION_ADMINISTRATOR');

const text = translated({ bundles: (count: string) => (count === '1' ? '1 bundle' : `${count} bundles`) });

export const bundlesOf = (count: number): string => text.bundles(digits(count));
