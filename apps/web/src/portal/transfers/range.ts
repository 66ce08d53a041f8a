import { serialOf } from '../../shared/format/serials.ts';

/** Certificates of one issuance, first and last included. */
export interface Range {
  readonly start: string;
  readonly end: string;
}

const serial = (certificate: string): bigint => BigInt(serialOf(certificate));

/** Parts per ten thousand: fine enough to draw, and exact in whole numbers until then. */
const SCALE = 10_000n;

/**
 * Where a part of a bundle lies, in percent of the bundle. Serials are longer than a number holds: only the share is
 * one. What is not nothing is wide enough to be seen.
 */
export function shareOf(part: Range, bundle: Range): { readonly from: number; readonly width: number } {
  const first = serial(bundle.start);
  const all = serial(bundle.end) - first + 1n;
  const percent = (count: bigint): number => Number((count * SCALE) / all) / 100;
  const width = Math.max(1, percent(serial(part.end) - serial(part.start) + 1n));
  return { from: Math.min(percent(serial(part.start) - first), 100 - width), width };
}
