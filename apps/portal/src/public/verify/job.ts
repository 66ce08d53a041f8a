import type { ErrorCode } from '@saleschannel/errors';
import type { StatementKeys } from '../statement.ts';
import type { Verdict } from '../statement-page.ts';

/** Raw form of a client. */
export interface VerifyJob {
  readonly form: Uint8Array;
  readonly keys: StatementKeys;
}

/** Valid statement, as far as the page shows it. */
export interface Recognized {
  readonly id: string;
  readonly volume: string;
  readonly retiredAt: string;
  readonly isSandbox: boolean;
}

export interface Checked {
  readonly verdict: Verdict;
  readonly statement: Recognized | undefined;
  /** Pasted text, unless it is too long to show again. */
  readonly pasted: string | undefined;
}

/** `checked` is undefined for a form without a statement. */
export type VerifyOutcome = { readonly checked: Checked | undefined } | { readonly refused: ErrorCode };
