import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root, type Page } from './sources.ts';

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
