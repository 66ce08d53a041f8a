import { daysBetween } from '../../shared/format/time.ts';
import type { Key } from './keys.ts';

/** From then on it is said that a key ends. */
export const WARN_DAYS = 30;

type Ending = Pick<Key, 'id' | 'kind' | 'name' | 'expiresAt'>;

/** Keys that end soon, the next one first. Those that have ended already trouble nobody any more. */
export const endingSoon = <K extends Ending>(keys: readonly K[], now: number): K[] =>
  keys
    .filter(({ expiresAt }) => Date.parse(expiresAt) > now && daysBetween(now, expiresAt) < WARN_DAYS)
    .toSorted((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt));
