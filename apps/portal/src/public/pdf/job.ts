import type { Statement } from '../statement.ts';
import type { Verdict } from '../statement-page.ts';

/** What the worker is asked to draw. */
export interface PdfJob {
  readonly statement: Statement;
  readonly verdict: Verdict;
  /** Where the statement is found: the QR code leads there. */
  readonly url: string;
}

export type PdfOutcome = { readonly pdf: Uint8Array } | { readonly failed: string };
