import type { RequestHandler } from 'express';
import { readOperations, type Contract } from '../contract/document.ts';
import type { Generation } from '../http/routes.ts';
import type { PreviousHandlers } from './handlers.ts';
import { isPreviousOperation, toPreviousPath, toCurrentPath } from './operations.ts';

/** Derives the contract of the previous generation from the current one, so that they differ only in these changes. */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Members = Record<string, Json>;
type Schema = Members & { properties: Record<string, Members>; required: string[] };

const SERIAL = '^[0-9]{1,38}$';
const serial = (which: 'first' | 'last'): Members => ({
  type: 'string',
  pattern: SERIAL,
  description: `Serial of the ${which} certificate, as digits. It starts with a GSRN, which identifies the issuance.`,
});

const DESCRIPTION = `Operations of \`/saleschannel-services\` without a version, for clients from before there was one.
They are deprecated: \`Sunset\` states their end, and \`Link\` with \`rel="successor-version"\` their replacement.
Everything else is the same as in \`/openapi.yaml\`, on the same data: access, order of the checks, errors, limits,
tasks, transactions, events. An \`Idempotency-Key\` identifies one request across both generations.

- \`start\` and \`end\` are serials without their issuance. Bundles of the new form, whose serials are not unique across
  issuances, cannot be listed or selected. A range that matches bundles of two issuances gets 400 with the code
  \`ambiguous\`.
- A selection may begin and end anywhere within a bundle of the trader. The certificates before it stay a bundle of
  their owner.
- Listed bundles have no \`certificates\` and no \`issuanceId\`, facilities no \`gsrn\` and no \`code\`.
- Lists have no filters and no pages, except the list of events.`;

const references = ['externalReference', 'metadata'];
/** Members that `$expand` adds. A later release introduced it. */
const expanded = ['sellerName', 'buyerName', ...references, 'retirement', 'totals'];

const changes: Record<string, (schema: Schema) => void> = {
  TradeRequest: (schema) => remove(schema, references),
  RetirementRequest: (schema) => remove(schema, references),
  OfframpRequest: (schema) => remove(schema, references),
  ListedTransaction: (schema) => remove(schema, expanded),
  UnpricedSelection: nameSerials,
  PricedSelection: nameSerials,
  RetirementSelection: nameSerials,
  TransactionAsset: nameSerials,
  ListableAsset(schema) {
    nameSerials(schema);
    remove(schema, ['issuanceId', 'certificates']);
  },
  ProductionFacility: (schema) => remove(schema, ['gsrn', 'code']),
};

function nameSerials({ properties }: Schema): void {
  Object.assign(properties, { start: serial('first'), end: serial('last') });
}

function remove(schema: Schema, names: readonly string[]): void {
  for (const name of names) delete schema.properties[name];
  schema.required = schema.required.filter((name) => !names.includes(name));
}

const headers: Record<string, Members> = {
  Deprecation: { required: true, schema: { type: 'string' }, description: 'Time of deprecation (RFC 9745).' },
  Sunset: { required: true, schema: { type: 'string' }, description: 'End of these operations (RFC 8594).' },
  Link: {
    required: true,
    schema: { type: 'string' },
    description: 'Successor (`rel="successor-version"`), and on a page of events the next page (`rel="next"`).',
  },
};

interface Document {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Members>>;
  components: Record<string, Record<string, Members>>;
}

const derived = new WeakMap<Contract, Contract>();

/** @param current contract of the current generation. The same contract returns the same object */
export function derivePreviousContract(current: Contract): Contract {
  const contract = derived.get(current) ?? deriveContract(current);
  derived.set(current, contract);
  return contract;
}

function deriveContract(current: Contract): Contract {
  const document = structuredClone(current.document) as unknown as Document;
  document.info.title += ', previous generation';
  document.info.description = DESCRIPTION;
  document.paths = derivePaths(document);
  const schemas = document.components['schemas'] ?? {};
  for (const [name, change] of Object.entries(changes)) change(schemas[name] as Schema);
  for (const response of Object.values(document.components['responses'] ?? {})) addHeaders(response);
  prune(document);
  const plain = document as unknown as Contract['document'];
  return { text: JSON.stringify(document), document: plain, operations: readOperations(plain) };
}

function derivePaths({ paths, components }: Document): Document['paths'] {
  const previous = Object.entries(paths).map(([path, methods]): [string, Record<string, Members>] => [
    toPreviousPath(path),
    Object.fromEntries(
      Object.entries(methods).filter(([, { operationId }]) => isPreviousOperation(String(operationId))),
    ),
  ]);
  const kept = previous.filter(([, methods]) => Object.keys(methods).length > 0);
  for (const operation of kept.flatMap(([, methods]) => Object.values(methods))) changeOperation(operation, components);
  return Object.fromEntries(kept);
}

function changeOperation(operation: Members, components: Document['components']): void {
  operation['deprecated'] = true;
  const isInQuery = (parameter: Json): boolean => resolve(parameter as Members, components)['in'] === 'query';
  const parameters = (operation['parameters'] ?? []) as Json[];
  // Only the event log had pages.
  if (operation['operationId'] !== 'listEvents')
    operation['parameters'] = parameters.filter((parameter) => !isInQuery(parameter));
  for (const response of Object.values(operation['responses'] as Record<string, Members>)) {
    if (response['$ref'] !== undefined) continue;
    addHeaders(response);
    // Lists had no CSV.
    delete (response['content'] as Members | undefined)?.['text/csv'];
    keepLinks(response, components);
  }
  for (const name of ['requestBody', 'responses'] as const)
    if (operation[name] !== undefined) operation[name] = withoutIssuances(operation[name]);
}

function resolve(value: Members, components: Document['components']): Members {
  if (typeof value['$ref'] !== 'string') return value;
  const [, , kind = '', name = ''] = value['$ref'].split('/');
  return components[kind]?.[name] ?? {};
}

function addHeaders(response: Members): void {
  response['headers'] = { ...(response['headers'] as Members | undefined), ...headers };
}

function keepLinks(response: Members, components: Document['components']): void {
  const links = Object.entries((response['links'] ?? {}) as Record<string, Members>);
  const kept = links.filter(([, link]) => isPreviousOperation(String(resolve(link, components)['operationId'])));
  if (kept.length > 0) response['links'] = Object.fromEntries(kept);
  else delete response['links'];
}

const CERTIFICATE = /^[0-9a-f-]{36}_([0-9]+)$/;
/** Prefix that turns serials of examples into the old form. */
const GSRN = '707057500123456789';
const SERIAL_DIGITS = 10;

/** Converts certificates and facilities of examples. */
function withoutIssuances(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutIssuances);
  if (typeof value === 'string') {
    const digits = CERTIFICATE.exec(value)?.[1];
    if (digits === undefined) return value;
    return digits.length > GSRN.length ? digits : GSRN + digits.padStart(SERIAL_DIGITS, '0');
  }
  if (value === null || typeof value !== 'object') return value;
  const isAsset = 'certificates' in value && 'issuanceId' in value;
  const isFacility = 'gsrn' in value && 'code' in value;
  const removed = [
    ...references,
    ...(isAsset ? ['certificates', 'issuanceId'] : []),
    ...(isFacility ? ['gsrn', 'code'] : []),
  ];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !removed.includes(name))
      .map(([name, member]) => [name, withoutIssuances(member)]),
  );
}

function prune(document: Document): void {
  const used = new Set<string>();
  const visit = (value: Json | Document['paths']): void => {
    for (const reference of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      const [, kind = '', name = ''] = reference;
      if (used.has(`${kind}/${name}`)) continue;
      used.add(`${kind}/${name}`);
      visit(document.components[kind]?.[name] ?? null);
    }
  };
  visit(document.paths);
  for (const [kind, members] of Object.entries(document.components)) {
    if (kind === 'securitySchemes') continue;
    for (const name of Object.keys(members)) if (!used.has(`${kind}/${name}`)) delete members[name];
  }
}

/**
 * Creates the previous generation of the API, which the gateway serves next to the current one.
 * @param current contract of the current generation
 * @param sunset announced end. Nothing is switched off by itself
 */
export const createPreviousGeneration = (current: Contract, handlers: PreviousHandlers, sunset: Date): Generation => ({
  contract: derivePreviousContract(current),
  handlers,
  preHandler: deprecationNotice(sunset),
  documentPath: '/openapi-previous.json',
});

/** Release of the current generation, as seconds since 1970 (RFC 9745 section 2). */
const DEPRECATED_SINCE = `@${Date.parse('2026-01-01T00:00:00Z') / 1_000}`;

/** Adds deprecation (RFC 9745), end (RFC 8594) and successor (RFC 5829) to every response, errors included. */
const deprecationNotice =
  (sunset: Date): RequestHandler =>
  (request, response, next) => {
    const { pathname } = new URL(request.originalUrl, 'http://localhost');
    response.setHeader('Deprecation', DEPRECATED_SINCE);
    response.setHeader('Sunset', sunset.toUTCString());
    response.setHeader('Link', `<${toCurrentPath(pathname)}>; rel="successor-version"`);
    next();
  };
