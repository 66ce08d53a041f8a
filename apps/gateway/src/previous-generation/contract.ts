import { readOperations, type Contract } from '../contract/document.ts';
import { isOfPreviousGeneration, previousPath } from './operations.ts';

/**
 * The contract of the previous generation, made of the current one by what differs. So every other word of it is the
 * same, today and after each change, and nothing is written twice.
 */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Members = Record<string, Json>;
type Schema = Members & { properties: Record<string, Members>; required: string[] };

const SERIAL = '^[0-9]{1,38}$';
const serial = (which: 'first' | 'last'): Members => ({
  type: 'string',
  pattern: SERIAL,
  description: `Serial of the ${which} certificate, as digits. It names its issuance by the GSRN that leads it.`,
});

const DESCRIPTION = `The operations of \`/saleschannel-services\` without a version, for clients that were made before
there was one. They are deprecated: \`Sunset\` tells when they end, \`Link\` with \`rel="successor-version"\` what takes
their place. Whatever is not said here is as in \`/openapi.yaml\`, at the same time and on the same data: rights, order
of the checks, errors, limits, tasks, transactions, events. An \`Idempotency-Key\` stands for one request, whichever
generation sends it.

- \`start\` and \`end\` are serials without their issuance. Bundles of the new form, whose serials many issuances share,
  are neither listed nor selected. A range that fits bundles of two issuances gives 400 with the code \`ambiguous\`.
- A selection may begin and end anywhere within a bundle of the trader. What lies before it stays a bundle of its
  owner.
- Listed bundles have no \`certificates\` and no \`issuanceId\`, facilities no \`gsrn\` and no \`code\`.
- Lists are whole: they have no filters and no pages, except that of events.`;

const references = ['externalReference', 'metadata'];
/** Members that `$expand` adds, which came later. */
const expanded = ['sellerName', 'buyerName', ...references, 'retirement', 'totals'];

/** The schemas that differ. */
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
  Deprecation: { required: true, schema: { type: 'string' }, description: 'Since when (RFC 9745).' },
  Sunset: { required: true, schema: { type: 'string' }, description: 'When these operations end (RFC 8594).' },
  Link: {
    required: true,
    schema: { type: 'string' },
    description: 'The successor, `rel="successor-version"`. On a page of events also the next one, `rel="next"`.',
  },
};

interface Document {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Members>>;
  components: Record<string, Record<string, Members>>;
}

const derived = new WeakMap<Contract, Contract>();

/** @param current the contract of the current generation. The same one gives the same object */
export function previousContract(current: Contract): Contract {
  const known = derived.get(current) ?? deriveContract(current);
  derived.set(current, known);
  return known;
}

function deriveContract(current: Contract): Contract {
  const document = structuredClone(current.document) as unknown as Document;
  document.info.title += ', previous generation';
  document.info.description = DESCRIPTION;
  document.paths = pathsOf(document);
  const schemas = document.components['schemas'] ?? {};
  for (const [name, change] of Object.entries(changes)) change(schemas[name] as Schema);
  for (const response of Object.values(document.components['responses'] ?? {})) addHeaders(response);
  prune(document);
  const plain = document as unknown as Contract['document'];
  return { text: JSON.stringify(document), document: plain, operations: readOperations(plain) };
}

function pathsOf({ paths, components }: Document): Document['paths'] {
  const wanted = Object.entries(paths).map(([path, methods]): [string, Record<string, Members>] => [
    previousPath(path),
    Object.fromEntries(
      Object.entries(methods).filter(([, { operationId }]) => isOfPreviousGeneration(String(operationId))),
    ),
  ]);
  const kept = wanted.filter(([, methods]) => Object.keys(methods).length > 0);
  for (const operation of kept.flatMap(([, methods]) => Object.values(methods))) change(operation, components);
  return Object.fromEntries(kept);
}

function change(operation: Members, components: Document['components']): void {
  operation['deprecated'] = true;
  const isInQuery = (parameter: Json): boolean => resolved(parameter as Members, components)['in'] === 'query';
  const parameters = (operation['parameters'] ?? []) as Json[];
  // The lists had no pages. The event log always had.
  if (operation['operationId'] !== 'listEvents')
    operation['parameters'] = parameters.filter((parameter) => !isInQuery(parameter));
  for (const response of Object.values(operation['responses'] as Record<string, Members>)) {
    if (response['$ref'] !== undefined) continue;
    addHeaders(response);
    // Lists had one form.
    delete (response['content'] as Members | undefined)?.['text/csv'];
    keepLinks(response, components);
  }
  for (const name of ['requestBody', 'responses'] as const)
    if (operation[name] !== undefined) operation[name] = withoutIssuances(operation[name]);
}

function resolved(value: Members, components: Document['components']): Members {
  if (typeof value['$ref'] !== 'string') return value;
  const [, , kind = '', name = ''] = value['$ref'].split('/');
  return components[kind]?.[name] ?? {};
}

function addHeaders(response: Members): void {
  response['headers'] = { ...(response['headers'] as Members | undefined), ...headers };
}

/** Links may lead to operations that came later. */
function keepLinks(response: Members, components: Document['components']): void {
  const links = Object.entries((response['links'] ?? {}) as Record<string, Members>);
  const kept = links.filter(([, link]) => isOfPreviousGeneration(String(resolved(link, components)['operationId'])));
  if (kept.length > 0) response['links'] = Object.fromEntries(kept);
  else delete response['links'];
}

const CERTIFICATE = /^[0-9a-f-]{36}_([0-9]+)$/;
/** Leads the serials of examples that are of the new form. */
const GSRN = '707057500123456789';
const SERIAL_DIGITS = 10;

/** What examples show of certificates and facilities, as the previous generation shows it. */
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
  const gone = [
    ...references,
    ...(isAsset ? ['certificates', 'issuanceId'] : []),
    ...(isFacility ? ['gsrn', 'code'] : []),
  ];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !gone.includes(name))
      .map(([name, member]) => [name, withoutIssuances(member)]),
  );
}

/** Leaves out what nothing refers to any more. */
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
