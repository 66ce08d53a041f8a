import { writeStored, readStored } from '../../shared/session/stored.ts';
import type { TransferKind } from './kinds.ts';

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
