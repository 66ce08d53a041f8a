import type { ApplyResponse__Output } from '@saleschannel/contracts/gen/inventory/v1/ApplyResponse';
import type { ApplyResult__Output } from '@saleschannel/contracts/gen/inventory/v1/ApplyResult';
import { DomainError, isErrorCode, type Violation } from '@saleschannel/errors';

/** The error by which the ledger refused a record, or undefined when it took it. */
export function refusalOf(result: ApplyResult__Output): DomainError | undefined {
  if (result.outcome !== 'REFUSED') return undefined;
  const code = isErrorCode(result.code) ? result.code : 'request-refused';
  const violations = result.violationsJson === '' ? [] : (JSON.parse(result.violationsJson) as Violation[]);
  return new DomainError(code, result.detail, { violations });
}

/** The result of a batch of one. */
export function onlyResult({ results }: ApplyResponse__Output): ApplyResult__Output {
  const [result] = results;
  if (!result || results.length !== 1) throw new Error(`the ledger answered one record with ${results.length} results`);
  return result;
}
