import { digits } from '../../shared/format/numbers.ts';
import { translated } from '../../shared/i18n/messages.ts';

const text = translated({ bundles: (count: string) => (count === '1' ? '1 bundle' : `${count} bundles`) });

/** How many bundles. */
export const bundlesOf = (count: number): string => text.bundles(digits(count));
