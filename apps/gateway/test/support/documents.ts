import { toExample as examplesIn, comparePattern, jsonOf, matching, type Form } from '@saleschannel/testing/contracts';
import { readExample, checkBody, findOperation } from './public-contract.ts';

/** Documents that services render for the gateway. They must satisfy the public contract. */

type Members = Readonly<Record<string, unknown>>;

const merged = (example: unknown, members: unknown): unknown => ({ ...(example as Members), ...(members as Members) });

/** Returns the example of an operation with these members. A list has one element per set of members. */
const exampleWith = (example: unknown, members: Members | readonly Members[]): unknown =>
  Array.isArray(members)
    ? members.map((each) => merged((example as unknown[])[0], examplesIn(each)))
    : merged(example, examplesIn(members));

const successStatus = (id: string): string =>
  Object.keys(findOperation(id).raw.responses).find((status) => status.startsWith('2')) ?? 'none';

const faultsIn = (id: string, body: unknown): string[] =>
  checkBody(findOperation(id), successStatus(id), 'application/json', body).map(
    (fault) => `not what ${id} promises: ${JSON.stringify(fault)}`,
  );

/** Returns a matcher of a response body. @param members required members, per element of a list */
export const matchDocument = (id: string, members: Members | readonly Members[] = {}): Form =>
  jsonOf(
    matching(exampleWith(readExample(id), members), (value) => [
      ...faultsIn(id, value),
      ...comparePattern(members, value, 'it'),
    ]),
  );

/** Returns a matcher of the records of a page, without its pagination. */
export function matchRecords(id: string, members: readonly Members[]): Form {
  const page = readExample(id) as { readonly data: unknown };
  return jsonOf(
    matching(exampleWith(page.data, members), (data) => [
      ...faultsIn(id, { ...page, data }),
      ...comparePattern(members, data, 'it'),
    ]),
  );
}
