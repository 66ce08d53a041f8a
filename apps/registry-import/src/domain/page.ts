import { invalidRequest, type Violation } from '@saleschannel/errors';

export const PAGE_LIMIT_AT_MOST = 100;

export interface Page {
  readonly limit: number;
  /** int8 as text */
  readonly offset: string;
}

/** @throws DomainError `invalid-request` */
export function readPage(request: Page): Page {
  const faults: Violation[] = [];
  if (request.limit < 1 || request.limit > PAGE_LIMIT_AT_MOST) {
    faults.push({ parameter: 'limit', code: 'range', detail: `It must be between 1 and ${PAGE_LIMIT_AT_MOST}.` });
  }
  if (request.offset.startsWith('-'))
    faults.push({ parameter: 'offset', code: 'range', detail: 'It must not be negative.' });
  if (faults.length > 0) throw invalidRequest('There is no such page.', faults);
  return { limit: request.limit, offset: request.offset };
}
