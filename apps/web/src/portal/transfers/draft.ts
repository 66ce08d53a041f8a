import { keep, readKept } from '../../shared/session/stored.ts';
import type { Act } from './kinds.ts';

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

export const newDraft = (): Draft => ({ fields: {} });

export const draftName = (act: Act, traderId: string): string => `move:${act}:${traderId}`;

/** Starts a new draft if the last one has a task. A draft without a response is kept. */
export function beginMove(act: Act, traderId: string): void {
  const name = draftName(act, traderId);
  if (readKept<Draft>(name)?.sent?.taskId !== undefined) keep(name, undefined);
}
