import { DomainError, invalidRequest } from '@saleschannel/errors';
import { problemOf, type ResponseOf } from '@saleschannel/grpc';
import { violationsOf } from '@saleschannel/primitives/validation';
import type { z } from 'zod';

type ApplyResult = NonNullable<ResponseOf<'ledger.ApplyIssuances'>['results']>[number];
type Outcome = 'CREATED' | 'UPDATED' | 'UNCHANGED' | DomainError;

function resultOf(outcome: Outcome | undefined): ApplyResult {
  if (outcome === undefined) throw new Error('a record has no outcome');
  if (outcome instanceof DomainError) return { outcome: 'OUTCOME_REFUSED', problem: problemOf(outcome) };
  return { outcome: `OUTCOME_${outcome}` };
}

/**
 * Applies those records of a batch that are valid, and refuses the others. The results are in the order of the records.
 * @param apply returns the outcomes in the order of what it is given
 */
export async function applyEach<Schema extends z.ZodType>(
  schema: Schema,
  records: readonly unknown[],
  apply: (valid: z.output<Schema>[]) => Promise<readonly Outcome[]>,
): Promise<{ results: ApplyResult[] }> {
  const valid: z.output<Schema>[] = [];
  const refusalsOrPlaces = records.map((record) => {
    const { data, error } = schema.safeParse(record, { reportInput: true });
    return error ? invalidRequest('The record is not valid.', violationsOf(error)) : valid.push(data) - 1;
  });
  const outcomes = await apply(valid);
  return { results: refusalsOrPlaces.map((each) => resultOf(typeof each === 'number' ? outcomes[each] : each)) };
}
