import { json, rendered, type Answer } from '../http/answer.ts';

/** Lists are streams of any length to clients of any speed. */
export const LIST_TIMEOUT_MS = 120_000;

/** Which part of a list a client of the registry API asks for. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

interface Paginated<Item> {
  readonly pagination: { readonly total: number; readonly offset: number; readonly limit: number };
  readonly data: Item[];
}

export const pageOf = ({ limit, offset }: Page) => ({ page: { limit, offset } });

export const paginated = <Item>(total: string, { limit, offset }: Page, data: Item[]): Answer<200, Paginated<Item>> =>
  json(200, { pagination: { total: Number(total), offset, limit }, data });

/** A page whose records inventory rendered. */
export function paginatedBytes(
  { total, data }: { total: string; data: Buffer },
  { limit, offset }: Page,
): Answer<200, never> {
  const pagination = JSON.stringify({ total: Number(total), offset, limit });
  const start = Buffer.from(`{"pagination":${pagination},"data":`);
  return rendered(200, Buffer.concat([start, data, Buffer.from('}')]));
}

/** The pieces of a document that a service rendered, as they come. */
export async function* bytesOf(chunks: AsyncIterable<{ data: Buffer }>): AsyncGenerator<Buffer> {
  for await (const { data } of chunks) if (data.length > 0) yield data;
}
