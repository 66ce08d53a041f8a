import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { loadContract } from '../../src/contract/document.ts';
import type { RawAnswer } from './http.ts';

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

const resolve = <T>(value: T & { $ref?: string }): T =>
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

/** What the contract shows as the answer of an operation: what a fake service may well answer. */
export function exampleOf(id: string): unknown {
  const { raw } = operationNamed(id);
  const success = Object.entries(raw.responses).find(([status]) => status.startsWith('2'))?.[1];
  const content = Object.values(success?.content ?? {})[0];
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
}

export type Promised = (typeof operations)[number];

export const operationNamed = (id: string): Promised => {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
};

/** Media types and headers of the contract are those of the answer, and its body satisfies the schema. */
export function expectAsPromised(operation: Promised, answer: RawAnswer, isHead = false): void {
  const promised = operation.raw.responses[String(answer.status)];
  if (!promised)
    throw new Error(`${operation.id} answered ${answer.status}, which its contract does not list: ${answer.text}`);
  const { headers = {}, content = {} } = resolve(promised);
  for (const [name, header] of Object.entries(headers)) {
    const isRequired = resolve(header).required === true || (name.startsWith('RateLimit') && answer.status < 400);
    if (isRequired)
      expect({ name, value: answer.headers[name.toLowerCase()] }).toEqual({ name, value: expect.any(String) });
  }
  if (Object.keys(content).length === 0) {
    expect([answer.text, answer.headers['content-type']]).toEqual(['', undefined]);
    return;
  }
  const type = String(answer.headers['content-type']).split(';')[0] ?? '';
  expect(Object.keys(content)).toContain(type);
  if (isHead) return;
  const value: unknown = /[/+]json$/.test(type)
    ? JSON.parse(answer.text)
    : type === 'application/yaml'
      ? parse(answer.text)
      : answer.text;
  const validate = ajv.compile({ $ref: `contract#${pointerTo(operation, answer.status, type, promised)}` });
  validate(value);
  expect({ operation: operation.id, value, errors: validate.errors ?? [] }).toEqual({
    operation: operation.id,
    value,
    errors: [],
  });
}

const segment = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

function pointerTo(operation: Promised, status: number, type: string, promised: Answer): string {
  const at =
    promised.$ref?.slice(1) ??
    `/paths/${segment(operation.path)}/${operation.method.toLowerCase()}/responses/${status}`;
  return `${at}/content/${segment(type)}/schema`;
}

/** An error of any kind: problem details with all their members. */
export function expectProblem(
  answer: RawAnswer,
  status: number,
  code: string,
): Record<string, unknown> & { errors?: Record<string, string>[] } {
  expect(answer.headers['content-type']).toBe('application/problem+json');
  const problem = JSON.parse(answer.text) as Record<string, unknown>;
  expect(problem).toMatchObject({
    type: `/problems/${code}`,
    status,
    title: expect.any(String),
    detail: expect.any(String),
    instance: expect.any(String),
  });
  expect(answer.status).toBe(status);
  expect(problem['requestId']).toBe(answer.headers['x-request-id']);
  ajv.validate({ $ref: 'contract#/components/schemas/Problem' }, problem);
  expect(ajv.errors ?? []).toEqual([]);
  return problem;
}
