import type { Verdict } from '../statement-page.ts';

/** A statement to be drawn. */
export interface PdfJob {
  /** The statement as JSON, as the API writes it. */
  readonly text: string;
  readonly verdict: Verdict;
  /** Address of the statement: the QR code leads there. */
  readonly url: string;
  /** Leaves out all text of people but plain ASCII: when it could not be drawn otherwise. */
  readonly isPlain?: boolean;
}

export type PdfOutcome = { readonly pdf: Uint8Array } | { readonly failed: string };
