import { exampleOf as examplesIn, faultsOf, jsonOf, ruled, type Form } from '@saleschannel/testing/contracts';
import { exampleOf, faultsOfBody, operationNamed } from './public-contract.ts';

/** Documents that a service renders and the gateway passes on: it relies on all that the public contract promises. */

type Members = Readonly<Record<string, unknown>>;

const merged = (example: unknown, members: unknown): unknown => ({ ...(example as Members), ...(members as Members) });

/** The example of an operation, with the members that matter. A list has as many elements as they are said of. */
const exampleWith = (example: unknown, members: Members | readonly Members[]): unknown =>
  Array.isArray(members)
    ? members.map((each) => merged((example as unknown[])[0], examplesIn(each)))
    : merged(example, examplesIn(members));

const successOf = (id: string): string =>
  Object.keys(operationNamed(id).raw.responses).find((status) => status.startsWith('2')) ?? 'none';

const faultsIn = (id: string, body: unknown): string[] =>
  faultsOfBody(operationNamed(id), successOf(id), 'application/json', body).map(
    (fault) => `not what ${id} promises: ${JSON.stringify(fault)}`,
  );

/** The body of an answer to an operation. @param members what must stand in it, of each element of a list */
export const documentOf = (id: string, members: Members | readonly Members[] = {}): Form =>
  jsonOf(
    ruled(exampleWith(exampleOf(id), members), (value) => [...faultsIn(id, value), ...faultsOf(members, value, 'it')]),
  );

/** The records of a page of the registry API, around which the gateway puts the rest. */
export function recordsOf(id: string, members: readonly Members[]): Form {
  const page = exampleOf(id) as { readonly data: unknown };
  return jsonOf(
    ruled(exampleWith(page.data, members), (data) => [
      ...faultsIn(id, { ...page, data }),
      ...faultsOf(members, data, 'it'),
    ]),
  );
}
