import { DomainError, invalidRequest } from '@saleschannel/errors';
import { toProblem, type ResponseOf } from '@saleschannel/grpc';
import { toViolations } from '@saleschannel/primitives/validation';
import type { z } from 'zod';

type ApplyResult = NonNullable<ResponseOf<'ledger.ApplyIssuances'>['results']>[number];
type Outcome = 'CREATED' | 'UPDATED' | 'UNCHANGED' | DomainError;

function toResult(outcome: Outcome | undefined): ApplyResult {
  if (outcome === undefined) throw new Error('a record has no outcome');
  if (outcome instanceof DomainError) return { outcome: 'OUTCOME_REFUSED', problem: toProblem(outcome) };
  return { outcome: `OUTCOME_${outcome}` };
}

/**
 * Applies the valid records of a batch and refuses the others. Results are in the order of the records.
 * @param apply returns outcomes in the order of its records
 */
export async function applyEach<Schema extends z.ZodType>(
  schema: Schema,
  records: readonly unknown[],
  apply: (valid: z.output<Schema>[]) => Promise<readonly Outcome[]>,
): Promise<{ results: ApplyResult[] }> {
  const valid: z.output<Schema>[] = [];
  const refusalsOrIndexes = records.map((record) => {
    const { data, error } = schema.safeParse(record, { reportInput: true });
    return error ? invalidRequest('The record is not valid.', toViolations(error)) : valid.push(data) - 1;
  });
  const outcomes = await apply(valid);
  return { results: refusalsOrIndexes.map((each) => toResult(typeof each === 'number' ? outcomes[each] : each)) };
}
