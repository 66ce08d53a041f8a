import { z } from 'zod';

/** DOWN: every attempt is answered with 503. LATE: the next message is, once, with Retry-After. */
export type FaultKind = 'DOWN' | 'LATE';

const SECONDS_AT_LEAST = 10;
const SECONDS_AT_MOST = 3_600;
/** How long a message is waited for that shall be late. */
const AWAITED_MS = 3_600_000;

export const breakage = z.object({
  endpointId: z.string().optional(),
  fault: z.enum(['DOWN', 'LATE'] satisfies FaultKind[]),
  seconds: z.int().min(SECONDS_AT_LEAST).max(SECONDS_AT_MOST),
});
export type Breakage = z.output<typeof breakage>;

/** What an endpoint whose receiver is answered for has. */
export interface Fault {
  readonly kind: FaultKind;
  /** ISO 8601. */
  readonly until: string;
  readonly retryAfterSeconds: number | null;
}

export const faultOf = ({ fault, seconds }: Breakage, now: string): Fault => ({
  kind: fault,
  until: new Date(Date.parse(now) + (fault === 'DOWN' ? seconds * 1_000 : AWAITED_MS)).toISOString(),
  retryAfterSeconds: fault === 'DOWN' ? null : seconds,
});
