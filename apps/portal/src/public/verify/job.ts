import type { ErrorCode } from '@saleschannel/errors';
import type { StatementKeys } from '../statement.ts';
import type { Verdict } from '../statement-page.ts';

/** A form that somebody sent, as it came. */
export interface VerifyJob {
  readonly form: Uint8Array;
  readonly keys: StatementKeys;
}

/** What a page says of a valid statement. */
export interface Recognized {
  readonly id: string;
  readonly volume: string;
  readonly retiredAt: string;
  readonly isSandbox: boolean;
}

export interface Checked {
  readonly verdict: Verdict;
  readonly statement: Recognized | undefined;
  /** What was pasted, unless it is too long to be shown again. */
  readonly pasted: string | undefined;
}

/** `checked` is undefined when the form has no statement. */
export type VerifyOutcome = { readonly checked: Checked | undefined } | { readonly refused: ErrorCode };
