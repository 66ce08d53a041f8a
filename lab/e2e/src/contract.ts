import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** The public contract from a client's view, read and checked without code of the gateway. */

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface Ref {
  $ref?: string;
}

interface Response extends Ref {
  headers?: Record<string, Ref & { required?: boolean }>;
  content?: Record<string, unknown>;
}

interface RawOperation {
  operationId: string;
  'x-access': { principal: 'user' | 'registry' | 'public' };
  'x-max-body-bytes'?: number;
  parameters?: (Ref & { name: string; in: string; required?: boolean; schema: { type?: string } })[];
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> };
  responses: Record<string, Response>;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly principal: 'user' | 'registry' | 'public';
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: { type?: string } }[];
  /** Media types of the body, empty if it takes none. */
  readonly mediaTypes: readonly string[];
  /** Limit of a JSON body. */
  readonly bodyBytesAtMost: number;
  /** Example body of the contract. */
  readonly example: unknown;
  readonly responses: Record<string, Response>;
  readonly pattern: RegExp;
}

interface Document {
  paths: Record<string, Record<string, RawOperation>>;
}

export const contractFile = new URL('../../../apps/gateway/openapi/openapi.yaml', import.meta.url);
const jsonFile = new URL('../../../apps/gateway/src/contract/gen/openapi.json', import.meta.url);
export const document = JSON.parse(readFileSync(jsonFile, 'utf8')) as Document;

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'contract');

const resolve = <T extends Ref>(value: T): T =>
  value.$ref === undefined
    ? value
    : (value.$ref
        .split('/')
        .slice(1)
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document) as T);

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** Default limit of a body. */
const BODY_BYTES_AT_MOST = 16_384;

function toOperation(path: string, method: string, raw: RawOperation): Operation {
  const [body] = Object.values(raw.requestBody?.content ?? {});
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    principal: raw['x-access'].principal,
    parameters: (raw.parameters ?? []).map((parameter) => resolve(parameter)),
    mediaTypes: Object.keys(raw.requestBody?.content ?? {}),
    bodyBytesAtMost: raw['x-max-body-bytes'] ?? BODY_BYTES_AT_MOST,
    example: body?.example ?? Object.values(body?.examples ?? {})[0]?.value,
    responses: raw.responses,
    pattern: toPattern(path),
  };
}

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, raw]) => toOperation(path, method, raw)),
);

export function getOperation(id: string): Operation {
  const found = operations.find((each) => each.id === id);
  if (!found) throw new Error(`The contract has no operation ${id}.`);
  return found;
}

/** Literal paths precede those with parameters: `me` is not a user id. */
const byLiteralness = operations.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);

function operationFor(method: string, path: string): Operation | undefined {
  const fitting = byLiteralness.find(({ pattern }) => pattern.test(path))?.path;
  return operations.find((each) => each.path === fitting && each.method === (method === 'HEAD' ? 'GET' : method));
}

const validators = new Map<string, ValidateFunction>();

function validatorAt(pointer: string): ValidateFunction {
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `contract#${pointer}` });
  validators.set(pointer, known);
  return known;
}

const segment = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
const titles = new Map<string, string>();

/** Operations that succeeded in this process, for the check that the journeys cover all. */
export const succeeded = new Set<string>();

const BEFORE_ROUTING = /"\/problems\/(malformed-request|request-timeout|headers-too-large)"/;

/** @throws Error with the difference from the contract */
export function checkAnswer(method: string, target: string, answer: RawAnswer): void {
  const path = target.split('?', 1)[0] ?? target;
  const found = operationFor(method, path);
  const fail = (what: string): never => {
    throw new Error(
      `${method} ${target.slice(0, 300)} (${found?.id ?? 'no operation'}) answered ${answer.status}, and ${what}: ` +
        answer.text.slice(0, 1_000),
    );
  };
  if (answer.status >= 500) fail('no request may cause a 5xx');
  if (answer.status >= 400) checkProblem(answer, fail);
  // A message that is not HTTP is rejected before routing.
  if (answer.status >= 400 && BEFORE_ROUTING.test(answer.text)) return;
  if (!found) {
    if (answer.status !== 404 && answer.status !== 405) fail('the operation does not exist');
    return;
  }
  // Route errors come from the HTTP layer; the contract lists them only where a path can meet them.
  if (answer.status === 404 && answer.text.includes('/problems/route-not-found')) return;
  const response = found.responses[answer.status];
  if (!response) return fail('the contract does not list that status');
  checkHeaders(resolve(response), answer, fail);
  const type = String(String(answer.headers['content-type']).split(';', 1)[0]);
  if (!Object.hasOwn(resolve(response).content ?? {}, type)) fail(`the contract does not list ${type}`);
  if (answer.status < 300) succeeded.add(found.id);
  if (method === 'HEAD' || !/[/+]json$/.test(type)) return;
  const at =
    response.$ref?.slice(1) ?? `/paths/${segment(found.path)}/${found.method.toLowerCase()}/responses/${answer.status}`;
  const validate = validatorAt(`${at}/content/${segment(type)}/schema`);
  if (validate(JSON.parse(answer.text)) !== true)
    fail(`the body does not match its schema (${ajv.errorsText(validate.errors)})`);
}

function checkHeaders(response: Response, answer: RawAnswer, fail: (what: string) => never): void {
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    if (resolve(header).required === true && typeof answer.headers[name.toLowerCase()] !== 'string')
      fail(`it lacks the header ${name}`);
  }
}

/** Checks the properties common to all errors. */
function checkProblem(answer: RawAnswer, fail: (what: string) => never): void {
  if (answer.headers['content-type'] !== 'application/problem+json') fail('an error must be problem details');
  if (answer.text === '') return;
  const problem = JSON.parse(answer.text) as { type: string; title: string; status: number; requestId: string };
  const validate = validatorAt('/components/schemas/Problem');
  if (!validate(problem)) fail(`the problem does not match its schema (${ajv.errorsText(validate.errors)})`);
  if (problem.status !== answer.status) fail('the problem has another status');
  if (problem.requestId !== answer.headers['x-request-id']) fail('the problem has another request id');
  const title = titles.get(problem.type) ?? problem.title;
  titles.set(problem.type, title);
  if (title !== problem.title) fail(`the title of ${problem.type} was "${title}" elsewhere`);
}
