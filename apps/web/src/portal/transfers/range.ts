import { extractSerial } from '../../shared/format/serials.ts';

/** Certificates of one issuance, inclusive. */
export interface Range {
  readonly start: string;
  readonly end: string;
}

const serial = (certificate: string): bigint => BigInt(extractSerial(certificate));

/** Resolution of the drawing. Arithmetic is exact up to this step. */
const SCALE = 10_000n;

/**
 * Offset and width of a part, in percent of its bundle. Computed in bigint, because serials exceed the range of a
 * number. Non-empty parts stay visible.
 */
export function layOutRange(part: Range, bundle: Range): { readonly from: number; readonly width: number } {
  const first = serial(bundle.start);
  const all = serial(bundle.end) - first + 1n;
  const percent = (count: bigint): number => Number((count * SCALE) / all) / 100;
  const width = Math.max(1, percent(serial(part.end) - serial(part.start) + 1n));
  return { from: Math.min(percent(serial(part.start) - first), 100 - width), width };
}
