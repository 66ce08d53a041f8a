import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { toExample as examplesIn, comparePattern, jsonOf, matching, type Form } from '@saleschannel/testing/contracts';
import { loadContract } from '../../src/contract/document.ts';

/** The public contract, for tests and for the contracts with services. */

interface Answer {
  $ref?: string;
  headers?: Record<string, { $ref?: string; required?: boolean }>;
  content?: Record<string, { schema: unknown; example?: unknown; examples?: Record<string, { value: unknown }> }>;
  links?: Record<string, unknown>;
}

interface Operation {
  operationId: string;
  'x-access': Record<string, unknown>;
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> };
  responses: Record<string, Answer>;
}

export const contract = loadContract();
const document = contract.document as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'contract');

/** Resolves a reference. */
export const resolve = <T>(value: T & { $ref?: string }): T =>
  value.$ref === undefined
    ? value
    : (value.$ref
        .split('/')
        .slice(1)
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document) as T);

export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, raw]) => {
    const parameters = (raw.parameters ?? []).map((parameter) => resolve(parameter));
    const body = Object.entries(raw.requestBody?.content ?? {})[0];
    const example = body && (body[1].example ?? Object.values(body[1].examples ?? {})[0]?.value);
    return {
      id: raw.operationId,
      method: method.toUpperCase(),
      path,
      access: raw['x-access'],
      parameters,
      mediaType: body?.[0],
      example,
      raw,
    };
  }),
);

/** Returns the example response of an operation, which a fake service may return. */
export function readExample(id: string): unknown {
  const { raw } = findOperation(id);
  const success = Object.entries(raw.responses).find(([status]) => status.startsWith('2'))?.[1];
  const content = Object.values(success?.content ?? {})[0];
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
}

export type PublicOperation = (typeof operations)[number];

export const findOperation = (id: string): PublicOperation => {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
};

const segment = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

function pointerTo(operation: PublicOperation, status: string, type: string, promised: Answer): string {
  const at =
    promised.$ref?.slice(1) ??
    `/paths/${segment(operation.path)}/${operation.method.toLowerCase()}/responses/${status}`;
  return `${at}/content/${segment(type)}/schema`;
}

/** Returns the violations of the contract in a body. */
export function checkBody(operation: PublicOperation, status: string, type: string, value: unknown): object[] {
  const promised = operation.raw.responses[status];
  if (!promised) throw new Error(`${operation.id} promises no ${status}`);
  const validate = ajv.compile({ $ref: `contract#${pointerTo(operation, status, type, promised)}` });
  validate(value);
  return validate.errors ?? [];
}

/** Returns the violations of the contract in problem details. */
export function checkProblem(problem: unknown): object[] {
  ajv.validate({ $ref: 'contract#/components/schemas/Problem' }, problem);
  return ajv.errors ?? [];
}

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
