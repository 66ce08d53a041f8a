import { unavailable } from '@saleschannel/errors';
import type { SentTo } from '@saleschannel/grpc';
import { csvHeader, csvRow, type CsvColumns } from '@saleschannel/primitives';
import { csv, csvRecords, json, jsonArray, notModified, rendered, type Answer } from '../http/answer.ts';
import type { EntityTags } from '../http/entity-tags.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Lists are streams of any length to clients of any speed. */
export const LIST_TIMEOUT_MS = 120_000;

/** Which part of a list a client of the registry API asks for. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly after?: string;
}

/** How much of a list there is. `next` is the cursor of the next page, and missing on the last one. */
interface Pagination {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  readonly next?: string;
}

interface Paginated<Item> {
  readonly pagination: Pagination;
  readonly data: Item[];
}

export const pageOf = ({ limit, offset, after }: Page) => ({
  page: after === undefined ? { limit, offset } : { limit, offset, after },
});

/** What a service says of the size of a list. */
interface Size {
  readonly total: string;
  readonly next?: string;
}

const paginationOf = ({ total, next }: Size, { limit, offset }: Page): Pagination => ({
  total: Number(total),
  offset,
  limit,
  ...(next === undefined ? {} : { next }),
});

/** What leads the records of a page. */
const startOf = (size: Size, asked: Page): Buffer =>
  Buffer.from(`{"pagination":${JSON.stringify(paginationOf(size, asked))},"data":`);

/** A page of the registry API, in the form that the client prefers. */
export const registryPage = <Item>(
  context: RequestContext,
  size: Size,
  asked: Page,
  data: Item[],
  file: CsvFile<Item>,
): Answer<200, Paginated<Item> | string> => {
  const link = nextLink(context, cursorLink('', size.next));
  return context.isCsvWanted
    ? csvPage(data, file, link)
    : json(200, { pagination: paginationOf(size, asked), data }, link);
};

/** A page whose records inventory rendered. */
export function paginatedBytes(
  name: string,
  context: RequestContext,
  { data, format, ...size }: Size & { data: Buffer; format: Format },
  asked: Page,
): Answer<200, string> | Answer<200, never> {
  if (context.isCsvWanted)
    return renderedAs(name, context, { format }, data, nextLink(context, cursorLink('', size.next)));
  const start = startOf(size, asked);
  return rendered(200, Buffer.concat([start, data, Buffer.from('}')]), nextLink(context, cursorLink('', size.next)));
}

/** The same, when it comes in pieces. */
export function paginatedPieces(
  name: string,
  context: RequestContext,
  { first, data }: Opened<Size & { format: Format }>,
  asked: Page,
): Answer<200, string> | Answer<200, never> {
  if (context.isCsvWanted) return renderedAs(name, context, first, data, nextLink(context, cursorLink('', first.next)));
  const start = startOf(first, asked);
  const body = async function* (): AsyncGenerator<Buffer> {
    yield start;
    yield* data;
    yield Buffer.from('}');
  };
  return rendered(200, body(), nextLink(context, cursorLink('', first.next)));
}

/** How a sales channel asks for a page. Without any of these it gets the whole list. */
export interface ChannelPage {
  readonly $limit?: number;
  readonly $offset?: number;
  readonly $after?: string;
}

const CHANNEL_PAGE_SIZE = 100;

/** The page that is asked for, or undefined for the whole list. @param isPaged what else asks for a page */
export function channelPageOf({ $limit, $offset, $after }: ChannelPage, isPaged = false) {
  if (!isPaged && $limit === undefined && $offset === undefined && $after === undefined) return undefined;
  const page = { limit: $limit ?? CHANNEL_PAGE_SIZE, offset: $offset ?? 0 };
  return $after === undefined ? page : { ...page, after: $after };
}

/** The same for a list that comes in pages alone. */
export const alwaysPageOf = (asked: ChannelPage) => channelPageOf(asked) ?? { limit: CHANNEL_PAGE_SIZE, offset: 0 };

/** The order that is asked for, with its one member, as services take it. */
export function listOrderOf($orderBy: Readonly<Record<string, 'asc' | 'desc' | undefined>> | undefined) {
  const [asked] = Object.entries($orderBy ?? {});
  return asked && { order: { by: asked[0], descending: asked[1] === 'desc' } };
}

/** @throws DomainError 'unavailable' while a replica of the previous release answers, which knows no order */
export function requireOrdered(
  wanted: ReturnType<typeof listOrderOf>,
  { ordered }: { readonly ordered: boolean },
): void {
  if (wanted && !ordered) throw unavailable(new Error('a list came in another order than was asked for'));
}

/** @throws DomainError 'unavailable' while a replica of the previous release answers, which leaves out no record */
export function requireSearched(text: string | undefined, { searched }: { readonly searched: boolean }): void {
  if (text !== undefined && !searched) throw unavailable(new Error('a list came without being searched'));
}

/** What a sales channel said of its transfers, as a filter. */
interface NotesFilter {
  readonly externalReference?: { readonly eq?: string };
  readonly metadata?: Readonly<Record<string, { readonly eq: string }>>;
}

/** The same as services take it. */
export const notesWanted = ({ externalReference, metadata }: NotesFilter) => ({
  externalReference: externalReference?.eq,
  metadata: metadata && Object.fromEntries(Object.entries(metadata).map(([name, { eq }]) => [name, eq])),
});

/** The headers of a page for a sales channel. */
export const channelLink = (context: RequestContext, next: string | undefined): Record<string, string> =>
  nextLink(context, cursorLink('$', next));

/** What changes in the query from one page to the next. */
type Change = (query: URLSearchParams) => void;

const cursorLink = (prefix: '' | '$', next: string | undefined): Change | undefined =>
  next === undefined
    ? undefined
    : (query) => {
        query.delete(`${prefix}offset`);
        query.set(`${prefix}after`, next);
      };

/** Where the next page is (RFC 8288): the same address but for what changes. */
export function nextLink({ request }: RequestContext, change: Change | undefined): Record<string, string> {
  if (!change) return {};
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  change(searchParams);
  return { Link: `<${pathname}?${searchParams.toString()}>; rel="next"` };
}

interface Opened<First> {
  readonly first: First;
  readonly data: AsyncGenerator<Buffer>;
}

/** What the first message of a stream says, and the data of all messages, as they come. */
export async function opened<Message extends { data: Buffer }>(
  messages: AsyncIterable<Message>,
): Promise<Opened<Message>> {
  const rest = messages[Symbol.asyncIterator]();
  const { value: first, done } = await rest.next();
  if (done) throw new Error('a page ended before it began');
  const all = async function* (): AsyncGenerator<Message> {
    yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  };
  return { first, data: bytesOf(all()) };
}

/** How a list is saved, and what stands in its columns. */
export interface CsvFile<Item> {
  readonly name: string;
  readonly columns: CsvColumns<Item>;
}

/** A whole list as it comes, in the form that the client prefers. */
export const wholeList = <Message, Item>(
  { isCsvWanted }: RequestContext,
  messages: AsyncIterable<Message>,
  render: (message: Message) => Item,
  { name, columns }: CsvFile<Item>,
): Answer<200, Item[] | string> =>
  isCsvWanted
    ? csvRecords(name, messages, {
        header: csvHeader(columns),
        record: (message) => csvRow(columns, render(message)),
      })
    : jsonArray(messages, render);

/** A page of a list as CSV. */
export const csvPage = <Item>(
  items: readonly Item[],
  { name, columns }: CsvFile<Item>,
  headers: Record<string, string>,
): Answer<200, string> => csv(name, csvHeader(columns) + items.map((item) => csvRow(columns, item)).join(''), headers);

/** A page of a list, in the form that the client prefers. */
export const listPage = <Item>(
  { isCsvWanted }: RequestContext,
  items: Item[],
  file: CsvFile<Item>,
  headers: Record<string, string>,
): Answer<200, Item[] | string> => (isCsvWanted ? csvPage(items, file, headers) : json(200, items, headers));

type Format = NonNullable<SentTo<'inventory.ListInventory'>['format']>;

/** The form that the client prefers of a list that its owner renders. */
export const formatOf = ({ isCsvWanted }: RequestContext): { format?: Format } =>
  isCsvWanted ? { format: 'LIST_FORMAT_CSV' } : {};

/** What is wanted of the records of a list, as services take it. */
export const expandOf = <Name extends string>(wanted: readonly Name[] | undefined): { expand?: Name[] } =>
  wanted === undefined ? {} : { expand: [...wanted] };

/** @throws DomainError 'unavailable' while a replica of the release before answers, which adds nothing */
export function requireExpanded(
  wanted: readonly string[] | undefined,
  { expanded }: { readonly expanded: boolean },
): void {
  if (wanted !== undefined && !expanded)
    throw unavailable(new Error('a list came without what it was to be expanded by'));
}

/**
 * A list that its owner rendered in the form that was asked for.
 * @throws DomainError 'unavailable' while a replica of the release before answers, which writes JSON alone
 */
export function renderedAs(
  name: string,
  { isCsvWanted }: Pick<RequestContext, 'isCsvWanted'>,
  { format }: { readonly format: Format },
  data: Buffer | AsyncIterable<Buffer>,
  headers: Record<string, string> = {},
): Answer<200, string> | Answer<200, never> {
  if (!isCsvWanted) return rendered(200, data, headers);
  if (format !== 'LIST_FORMAT_CSV') throw unavailable(new Error(`${name} came in another format`));
  return csv(name, data, headers);
}

/** What a service says of something that has versions. */
interface Versioned {
  readonly version?: string;
  readonly unchanged: boolean;
  readonly format: Format;
  readonly next?: string;
}

/**
 * What is said of a version. A client, and no cache that others share, may keep such an answer if it asks each time
 * whether it is still the same: so whoever has lost the right to read it learns nothing.
 */
const versionHeaders = (tags: EntityTags, { version }: Pick<Versioned, 'version'>): Record<string, string> =>
  version === undefined ? {} : { ETag: tags.tagOf(version), 'Cache-Control': 'private, no-cache' };

/** A list that has versions, or that it is unchanged. */
export async function versioned(
  context: RequestContext,
  tags: EntityTags,
  name: string,
  about: Versioned,
  data: Buffer | AsyncIterable<Buffer>,
): Promise<Answer<200, string> | Answer<200 | 304, never>> {
  if (!about.unchanged) {
    const headers = { ...channelLink(context, about.next), ...versionHeaders(tags, about) };
    return renderedAs(name, context, about, data, headers);
  }
  // To its end, which is there: a stream that is given up counts as broken off where it comes from.
  if (!Buffer.isBuffer(data)) for await (const _nothing of data);
  return notModified(versionHeaders(tags, about));
}

/** The pieces of a document that a service rendered, as they come. */
async function* bytesOf(chunks: AsyncIterable<{ data: Buffer }>): AsyncGenerator<Buffer> {
  for await (const { data } of chunks) if (data.length > 0) yield data;
}
