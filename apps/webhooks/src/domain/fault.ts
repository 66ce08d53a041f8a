import { z } from 'zod';

/** `DOWN`: every attempt gets 503. `LATE`: the next message gets 503 once, with Retry-After. */
export type FaultKind = 'DOWN' | 'LATE';

const MIN_SECONDS = 10;
const MAX_SECONDS = 3_600;
/** Lifetime of an unused `LATE` fault. */
const LATE_LIFETIME_MS = 3_600_000;

export const newFault = z.object({
  endpointId: z.string().optional(),
  fault: z.enum(['DOWN', 'LATE'] satisfies FaultKind[]),
  seconds: z.int().min(MIN_SECONDS).max(MAX_SECONDS),
});
export type NewFault = z.output<typeof newFault>;

/** Active fault of an endpoint. */
export interface Fault {
  readonly kind: FaultKind;
  /** End, in ISO 8601. */
  readonly until: string;
  readonly retryAfterSeconds: number | null;
}

export const toFault = ({ fault, seconds }: NewFault, now: string): Fault => ({
  kind: fault,
  until: new Date(Date.parse(now) + (fault === 'DOWN' ? seconds * 1_000 : LATE_LIFETIME_MS)).toISOString(),
  retryAfterSeconds: fault === 'DOWN' ? null : seconds,
});
