import { unavailable } from '@saleschannel/errors';
import { formatCsvHeader, formatCsvRow, type CsvColumns } from '@saleschannel/primitives';
import {
  createCsvAnswer,
  streamCsv,
  createJsonAnswer,
  streamJsonArray,
  createNotModified,
  createRenderedAnswer,
  type Answer,
} from '../http/answer.ts';
import type { EntityTags } from '../http/entity-tags.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Format, toListOrder, RegistryPage } from './requests.ts';

interface Pagination {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  /** Cursor of the next page. Missing on the last one. */
  readonly next?: string;
}

interface Paginated<Item> {
  readonly pagination: Pagination;
  readonly data: Item[];
}

/** Size of a list, from its service. */
interface Size {
  readonly total: string;
  readonly next?: string;
}

const toPagination = ({ total, next }: Size, { limit, offset }: RegistryPage): Pagination => ({
  total: Number(total),
  offset,
  limit,
  ...(next === undefined ? {} : { next }),
});

/** Returns the JSON before the records of a page. */
export const toRegistryPage = <Item>(
  context: RequestContext,
  size: Size,
  page: RegistryPage,
  data: Item[],
  file: CsvFile<Item>,
): Answer<200, Paginated<Item> | string> => {
  const link = toNextLink(context, cursorLink('', size.next));
  return context.isCsvPreferred
    ? toCsvPage(data, file, link)
    : createJsonAnswer(200, { pagination: toPagination(size, page), data }, link);
};

/** Creates a page whose records inventory has rendered. */
export function toPaginatedAnswer(
  name: string,
  context: RequestContext,
  about: Size & { format: Format },
  data: Buffer | AsyncIterable<Buffer>,
  page: RegistryPage,
): Answer<200, string> | Answer<200, never> {
  const link = toNextLink(context, cursorLink('', about.next));
  if (context.isCsvPreferred) return toListAnswer(name, context, about, data, link);
  const start = Buffer.from(`{"pagination":${JSON.stringify(toPagination(about, page))},"data":`);
  const end = Buffer.from('}');
  const enclosed = async function* (records: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield start;
    yield* records;
    yield end;
  };
  return createRenderedAnswer(200, Buffer.isBuffer(data) ? Buffer.concat([start, data, end]) : enclosed(data), link);
}

/** @throws DomainError 'unavailable' while a replica of the previous release answers, which ignores orders */
export function requireOrdered(
  order: ReturnType<typeof toListOrder>,
  { ordered }: { readonly ordered: boolean },
): void {
  if (order && !ordered) throw unavailable(new Error('the service has ignored the order of a list'));
}

/** @throws DomainError 'unavailable' while a replica of the previous release answers, which ignores searches */
export function requireSearched(text: string | undefined, { searched }: { readonly searched: boolean }): void {
  if (text !== undefined && !searched) throw unavailable(new Error('the service has not searched a list'));
}

/** Returns the Link header of a page of the sales channel API. */
export const toChannelLink = (context: RequestContext, next: string | undefined): Record<string, string> =>
  toNextLink(context, cursorLink('$', next));

type Change = (query: URLSearchParams) => void;

const cursorLink = (prefix: '' | '$', next: string | undefined): Change | undefined =>
  next === undefined
    ? undefined
    : (query) => {
        query.delete(`${prefix}offset`);
        query.set(`${prefix}after`, next);
      };

export function toNextLink({ request }: RequestContext, change: Change | undefined): Record<string, string> {
  if (!change) return {};
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  change(searchParams);
  return { Link: `<${pathname}?${searchParams.toString()}>; rel="next"` };
}

interface Opened<First> {
  readonly first: First;
  readonly data: AsyncGenerator<Buffer>;
}

/** Returns the first message of a stream, and the data of all messages. */
export async function openList<Message extends { data: Buffer }>(
  messages: AsyncIterable<Message>,
): Promise<Opened<Message>> {
  const rest = messages[Symbol.asyncIterator]();
  const { value: first, done } = await rest.next();
  if (done) throw new Error('a list ended before its first message');
  const all = async function* (): AsyncGenerator<Message> {
    yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  };
  return { first, data: streamData(all()) };
}

export interface CsvFile<Item> {
  readonly name: string;
  readonly columns: CsvColumns<Item>;
}

/** Name of a member that is text, a number or a boolean. A member of a nested object has a dotted name. */
type ColumnName<Item> = {
  [Name in keyof Item & string]-?: Item[Name] extends string | number | boolean | null | undefined
    ? Name
    : `${Name}.${keyof NonNullable<Item[Name]> & string}`;
}[keyof Item & string];

/** Creates columns of members, with their names and values. */
export const pickColumns = <Item>(...names: readonly ColumnName<Item>[]): CsvColumns<Item> =>
  Object.fromEntries(
    names.map((name: string) => {
      const path = name.split('.');
      return [name, (item: Item) => readText(item, path)];
    }),
  );

function readText(item: unknown, path: readonly string[]): string | null | undefined {
  const value = path.reduce((node, key) => (node as Record<string, unknown> | undefined)?.[key], item);
  return value === null || value === undefined ? value : String(value as string | number | boolean);
}

/** Streams a list, as JSON or CSV. */
export const streamList = <Message, Item>(
  { isCsvPreferred }: RequestContext,
  messages: AsyncIterable<Message>,
  render: (message: Message) => Item,
  { name, columns }: CsvFile<Item>,
): Answer<200, Item[] | string> =>
  isCsvPreferred
    ? streamCsv(name, messages, {
        header: formatCsvHeader(columns),
        record: (message) => formatCsvRow(columns, render(message)),
      })
    : streamJsonArray(messages, render);

export const toCsvPage = <Item>(
  items: readonly Item[],
  { name, columns }: CsvFile<Item>,
  headers: Record<string, string>,
): Answer<200, string> =>
  createCsvAnswer(name, formatCsvHeader(columns) + items.map((item) => formatCsvRow(columns, item)).join(''), headers);

export const toListPage = <Item>(
  { isCsvPreferred }: RequestContext,
  items: Item[],
  file: CsvFile<Item>,
  headers: Record<string, string>,
): Answer<200, Item[] | string> =>
  isCsvPreferred ? toCsvPage(items, file, headers) : createJsonAnswer(200, items, headers);

/** Answers with a list that its service streams, once its first message confirms `expand`. */
export async function toExpandedAnswer(
  name: string,
  context: RequestContext,
  expand: readonly string[] | undefined,
  messages: AsyncIterable<{ data: Buffer; format: Format; expanded: boolean; next?: string }>,
): Promise<Answer<200, string> | Answer<200, never>> {
  const { first, data } = await openList(messages);
  requireExpanded(expand, first);
  return toListAnswer(name, context, first, data, toChannelLink(context, first.next));
}

/** @throws DomainError 'unavailable' while a replica of the previous release answers, which ignores `expand` */
export function requireExpanded(
  expand: readonly string[] | undefined,
  { expanded }: { readonly expanded: boolean },
): void {
  if (expand !== undefined && !expanded) throw unavailable(new Error('the service has not expanded a list'));
}

/**
 * Creates an answer with a list that its service has rendered as JSON or CSV.
 * @throws DomainError 'unavailable' while a replica of the previous release answers, which writes JSON only
 */
export function toListAnswer(
  name: string,
  { isCsvPreferred }: Pick<RequestContext, 'isCsvPreferred'>,
  { format }: { readonly format: Format },
  data: Buffer | AsyncIterable<Buffer>,
  headers: Record<string, string> = {},
): Answer<200, string> | Answer<200, never> {
  if (!isCsvPreferred) return createRenderedAnswer(200, data, headers);
  if (format !== 'LIST_FORMAT_CSV') throw unavailable(new Error(`the service has rendered ${name} in another format`));
  return createCsvAnswer(name, data, headers);
}

/** Version of a list and the result of its comparison, from its service. */
interface Versioned {
  readonly version?: string;
  readonly unchanged: boolean;
  readonly format: Format;
  readonly next?: string;
}

/**
 * Returns headers that let clients, but no shared caches, keep the response and revalidate it for each use. A client
 * that has lost the right to read the list gets nothing.
 */
const versionHeaders = (tags: EntityTags, { version }: Pick<Versioned, 'version'>): Record<string, string> =>
  version === undefined ? {} : { ETag: tags.createTag(version), 'Cache-Control': 'private, no-cache' };

/** Creates an answer with a list and its entity tag, or 304 if the client already has this version. */
export async function toVersionedAnswer(
  context: RequestContext,
  tags: EntityTags,
  name: string,
  about: Versioned,
  data: Buffer | AsyncIterable<Buffer>,
): Promise<Answer<200, string> | Answer<200 | 304, never>> {
  if (!about.unchanged) {
    const headers = { ...toChannelLink(context, about.next), ...versionHeaders(tags, about) };
    return toListAnswer(name, context, about, data, headers);
  }
  // Reads the stream to its end: the service counts an abandoned stream as an error.
  if (!Buffer.isBuffer(data)) for await (const _nothing of data);
  return createNotModified(versionHeaders(tags, about));
}

async function* streamData(chunks: AsyncIterable<{ data: Buffer }>): AsyncGenerator<Buffer> {
  for await (const { data } of chunks) if (data.length > 0) yield data;
}
