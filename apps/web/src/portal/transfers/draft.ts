import { readKept, keep } from '../../shared/session/kept.ts';
import type { Act } from './acts.ts';

/** What was sent, to the last character: it can be sent again and counts once. */
export interface Sent {
  readonly body: string;
  /** Its Idempotency-Key. It lies with the request, which may be sent again as long as the draft is kept. */
  readonly key: string;
  readonly volume: number;
  readonly bundles: number;
  /** Undefined while no answer came. */
  readonly taskId?: string;
}

/** One form, from its first character to its task. */
export interface Draft {
  readonly fields: Readonly<Record<string, string>>;
  readonly buyerId?: string | undefined;
  readonly sent?: Sent | undefined;
}

export const newDraft = (): Draft => ({ fields: {} });

export const draftName = (act: Act, traderId: string): string => `move:${act}:${traderId}`;

/** Begins another one where the last one came to its end. What has no answer yet is not forgotten. */
export function beginMove(act: Act, traderId: string): void {
  const name = draftName(act, traderId);
  if (readKept<Draft>(name)?.sent?.taskId !== undefined) keep(name, undefined);
}
