import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root, type Page } from './sources.ts';

interface Access {
  readonly principal: 'user' | 'registry' | 'public';
  readonly roles?: readonly string[];
  readonly self?: boolean;
  readonly holder?: boolean;
  readonly registry?: boolean;
  readonly fresh?: number;
}
interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly 'x-access': Access;
}
interface Contract {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
}

const CONTRACT = 'apps/gateway/src/contract/gen/openapi.json';
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Address of an operation in Swagger UI. */
const linkTo = (tag: string, id: string): string => `/docs/api#/${encodeURIComponent(tag)}/${id}`;

/** Callers of an operation, in words. */
function describeCallers({ principal, roles = [], self = false, holder = false, registry = false }: Access): string {
  if (principal === 'public') return 'everyone';
  if (principal === 'registry') return 'a registry key';
  if (registry) return 'a user of a registry';
  if (holder) return 'a user of an account holder';
  const names = roles.map((role) => `\`${role}\``);
  return names.length > 0 ? [...names, ...(self ? ['the user concerned'] : [])].join(' or ') : 'any user';
}

/** Every operation on one line, so that the search finds it by name. */
export function createOperationsPage(): Page {
  const { paths, tags } = JSON.parse(readFileSync(join(root, CONTRACT), 'utf8')) as Contract;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      METHODS.has(method) ? [{ path, method, operation }] : [],
    ),
  );
  const sections = tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags[0] === name)
      .map(({ path, method, operation }) => {
        const { operationId, summary } = operation;
        const address = `\`${method.toUpperCase()} ${path}\``;
        const link = `[${operationId}](${linkTo(name, operationId)})`;
        const { 'x-access': access } = operation;
        const recently = access.fresh === undefined ? '' : ', recent sign-in';
        return `| ${link} | ${address} | ${summary} | ${describeCallers(access)}${recently} |`;
      });
    return [
      `## ${name}`,
      description,
      ['| ApiOperation | Path | Description | Access |', '|---|---|---|---|', ...rows].join('\n'),
    ];
  });
  const head =
    'All operations of [the contract](/openapi.yaml). Each name links to its parameters, bodies, responses and ' +
    'errors, where you can try it. API keys need no recent sign-in.';
  return {
    slug: 'operations-of-the-api',
    title: 'All operations',
    source: CONTRACT,
    markdown: [head, ...sections.flat()].join('\n\n'),
  };
}

interface Operation {
  readonly action: 'send' | 'receive';
  readonly channel: { readonly $ref: string };
  readonly messages: readonly { readonly $ref: string }[];
  readonly tags: readonly { readonly name: string }[];
}
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
}
interface Document {
  readonly info: { readonly description: string };
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly summary: string; readonly examples: readonly object[] }>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

const SOURCE = 'docs/integrate/asyncapi.yaml';

function formatType({ type, enum: values, const: value, anyOf, oneOf, items }: Schema): string {
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  if (values) return values.map((each) => `\`${JSON.stringify(each)}\``).join(', ');
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return [...new Set(alternatives.map(formatType))].join(' or ');
  return items ? `list of ${formatType(items)}` : (type ?? 'anything');
}

const formatRow = (name: string, schema: Schema, isRequired: boolean): string =>
  `| \`${name}\` | ${formatType(schema)} | ${isRequired ? 'yes' : 'no'} | ${schema.description ?? '–'} |`;

const formatTable = ({ properties = {}, required = [] }: Schema): string =>
  [
    '| Member | Type | Required | Description |',
    '|---|---|---|---|',
    ...Object.entries(properties).map(([name, schema]) => formatRow(name, schema, required.includes(name))),
  ].join('\n');

/** Kind that distinguishes the variants of a type. */
const formatHeading = ({ properties }: Schema): string[] => {
  const kind = properties?.['type']?.const;
  return typeof kind === 'string' ? [`### ${kind}`] : [];
};

function formatSection(type: string, { operations, components }: Document): string {
  const of = Object.values(operations).filter(({ messages }) => messages.some(({ $ref }) => $ref.endsWith(`/${type}`)));
  const who = (action: Operation['action']): string =>
    [...new Set(of.filter((each) => each.action === action).flatMap(({ tags }) => tags.map(({ name }) => name)))].join(
      ', ',
    );
  const schema = components.schemas[type];
  const message = components.messages[type];
  if (!schema || !message) throw new Error(`${SOURCE} has no schema or message ${type}`);
  const variants = schema.oneOf ?? schema.anyOf ?? [schema];
  return [
    `## ${type}`,
    message.summary,
    `Sent by ${who('send')}, received by ${who('receive')}.`,
    ...variants.flatMap((variant) => [
      ...formatHeading(variant),
      ...(variant === schema || variant.description === undefined ? [] : [variant.description]),
      formatTable(variant),
    ]),
    `\`\`\`json\n${JSON.stringify(message.examples[0], null, 2)}\n\`\`\``,
  ].join('\n\n');
}

/** The AsyncAPI contract of integration events as a page. */
export function createAsyncApiPage(): Page {
  const document = parse(readFileSync(join(root, SOURCE), 'utf8')) as Document;
  const contract = 'The contract as [AsyncAPI 3](asyncapi.yaml), with exchanges, queues and their arguments.';
  const head = `${document.info.description}\n${contract}\n`;
  const sections = Object.keys(document.components.messages).map((type) => formatSection(type, document));
  return { slug: 'asyncapi', title: 'Events on RabbitMQ', source: SOURCE, markdown: [head, ...sections].join('\n\n') };
}
