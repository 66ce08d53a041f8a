import type { Statement } from '../statement.ts';
import type { Verdict } from '../statement-page.ts';

/** What the worker is asked to draw. */
export interface PdfJob {
  readonly statement: Statement;
  readonly verdict: Verdict;
  /** Where the statement is found: the QR code leads there. */
  readonly url: string;
  /** Whether all text of people is left out but for plain ASCII: when it could not be drawn otherwise. */
  readonly isPlain?: boolean;
}

export type PdfOutcome = { readonly pdf: Uint8Array } | { readonly failed: string };
