import type { Verdict } from '../statement-page.ts';

/** Statement to draw. */
export interface PdfJob {
  /** Statement as JSON of the API. */
  readonly text: string;
  readonly verdict: Verdict;
  /** Address of the statement, for the QR code. */
  readonly url: string;
  /** Omits text of people unless it is ASCII, after drawing failed. */
  readonly isPlain?: boolean;
}

export type PdfOutcome = { readonly pdf: Uint8Array } | { readonly failed: string };
