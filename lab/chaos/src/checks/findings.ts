import type { AttemptEntry, BaselineEntry, EndEntry, Entry, RequestEntry } from '../workload/journal.ts';

/** Findings as sentences, by kind. */
export class Findings {
  readonly lost: string[] = [];
  readonly doubled: string[] = [];
  readonly reordered: string[] = [];
  readonly missed: string[] = [];
  readonly wrong: string[] = [];
}

/** A request with all its attempts. */
export interface Call extends RequestEntry {
  readonly attempts: readonly AttemptEntry[];
  readonly end: EndEntry | undefined;
  /** Last attempt with a known outcome, preferably a success. Undefined if no outcome is known. */
  readonly outcome: (AttemptEntry & { readonly status: number }) | undefined;
}

const isKnown = (attempt: AttemptEntry): attempt is AttemptEntry & { readonly status: number } =>
  attempt.status !== undefined && attempt.status < 500 && attempt.status !== 409 && attempt.status !== 429;

export const isSuccess = ({ status }: Pick<AttemptEntry, 'status'>): boolean => status !== undefined && status < 300;

export const listKnownAttempts = ({ attempts }: Call) => attempts.filter(isKnown);

/** Transactions that a client approved or rejected, or tried to. */
export const listDecisions = (calls: readonly Call[]): { call: Call; transactionId: string }[] =>
  calls
    .filter(({ kind }) => kind === 'approve' || kind === 'reject')
    .map((call) => ({ call, transactionId: String(call.path.split('/').at(-2)) }));

export const describeCall = ({ kind, id, actor }: Call): string => `${kind} (request ${id} of ${actor})`;

export function collectCalls(entries: readonly Entry[]): Call[] {
  const attempts = new Map<number, AttemptEntry[]>();
  const ends = new Map<number, EndEntry>();
  for (const entry of entries) {
    if (entry.type === 'attempt') attempts.set(entry.request, [...(attempts.get(entry.request) ?? []), entry]);
    if (entry.type === 'end') ends.set(entry.request, entry);
  }
  return entries.flatMap((entry): Call[] => {
    if (entry.type !== 'request') return [];
    const own = attempts.get(entry.id) ?? [];
    const known = own.filter(isKnown);
    const outcome = known.find(isSuccess) ?? known.at(-1);
    return [{ ...entry, attempts: own, end: ends.get(entry.id), outcome }];
  });
}

/** State of a sales channel before the run. */
export function findBaseline(entries: readonly Entry[], channel: string): BaselineEntry {
  const found = entries.find((entry) => entry.type === 'baseline' && entry.channel === channel);
  if (found?.type !== 'baseline') throw new Error(`The journal has no baseline of ${channel}.`);
  return found;
}

export function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
