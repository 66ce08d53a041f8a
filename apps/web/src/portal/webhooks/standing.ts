import type { Endpoint } from './endpoints.ts';

/** How an endpoint fares, in one word. */
export type Standing = 'unused' | 'works' | 'failing' | 'disabled' | 'gone' | 'gaveUp';

type Known = Pick<Endpoint, 'status' | 'disabledReason' | 'failingSince' | 'lastSuccessAt'>;

export function standingOf({ status, disabledReason, failingSince, lastSuccessAt }: Known): Standing {
  if (status === 'DISABLED') {
    if (disabledReason === 'GONE') return 'gone';
    return disabledReason === 'FAILING' ? 'gaveUp' : 'disabled';
  }
  if (failingSince !== null) return 'failing';
  return lastSuccessAt === null ? 'unused' : 'works';
}

/** Whether the receiver is at fault, and somebody has to look at it. */
export const isInTrouble = (endpoint: Known): boolean => ['failing', 'gone', 'gaveUp'].includes(standingOf(endpoint));

/** What people know it by. */
export const calledAs = ({ description, url }: Pick<Endpoint, 'description' | 'url'>): string =>
  description ?? URL.parse(url)?.host ?? url;

/** How far a replay has come, from 0 to 1. */
export function progressOf({ from, to, position }: Pick<NonNullable<Endpoint['replay']>, 'from' | 'to' | 'position'>) {
  if (position === null) return 0;
  const [begin, end, at] = [from, to, position].map((time) => Date.parse(time)) as [number, number, number];
  return end <= begin ? 1 : Math.min(1, Math.max(0, (at - begin) / (end - begin)));
}
