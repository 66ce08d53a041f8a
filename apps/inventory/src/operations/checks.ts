import { DomainError, invalidRequest, type Violation } from '@saleschannel/errors';
import type { ApplyResult } from '../rpc/messages.ts';

const TEXT_AT_MOST = 200;
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const DATE_TIME = /^([1-9]\d{3}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Collects what is wrong with a record, each fault under its field. */
export class Checks {
  readonly violations: Violation[] = [];

  fail(field: string, code: string, detail: string): void {
    this.violations.push({ pointer: `#/${field}`, code, detail });
  }

  text(field: string, value: string, atMost = TEXT_AT_MOST): void {
    // Code points, as the public contract counts them.
    const length = [...value].length;
    if (length < 1 || length > atMost) this.fail(field, 'length', `must have 1 to ${atMost} characters`);
    else if (value.includes('\0')) this.fail(field, 'characters', 'must not hold NUL');
  }

  pattern(field: string, value: string, pattern: RegExp, detail: string): void {
    if (!pattern.test(value)) this.fail(field, 'pattern', detail);
  }

  /** The instant of an ISO 8601 date-time with its offset (RFC 3339), in milliseconds; NaN when it is none. */
  instant(field: string, value: string): number {
    const [, date] = DATE_TIME.exec(value) ?? [];
    // JavaScript reads 30 February as 1 March.
    const isDay = date !== undefined && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
    const at = isDay ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(at) || at > LATEST_MS)
      this.fail(field, 'date-time', 'must be an ISO 8601 date-time with its offset');
    return at;
  }

  /** @throws DomainError 'invalid-request' when anything was wrong */
  assert(): void {
    if (this.violations.length > 0) throw invalidRequest('The record is not valid.', this.violations);
  }
}

/** One item of a batch that cannot be applied; the others go on. */
export function refusedResult(error: unknown): ApplyResult {
  if (!(error instanceof DomainError)) throw error;
  return {
    outcome: 'REFUSED',
    code: error.code,
    detail: error.message,
    violationsJson: JSON.stringify(error.violations),
  };
}
