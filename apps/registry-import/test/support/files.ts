import type { SentTo } from '@saleschannel/grpc';

export type Part = SentTo<'registryImport.StartImport'>;

export interface Header {
  readonly contentType: string;
  readonly type?: string;
}

const PIECE_BYTES = 10_000;

export const NDJSON: Header = { contentType: 'application/x-ndjson' };
export const csv = (type: string): Header => ({ contentType: 'text/csv; charset=utf-8', type });

export const ndjson = (...records: object[]): string => records.map((record) => JSON.stringify(record)).join('\n');

/** Returns the messages of an upload. */
export async function* partsOf(file: string | Buffer, header: Header): AsyncGenerator<Part> {
  yield { header, part: 'header' };
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    yield { data: bytes.subarray(at, at + PIECE_BYTES), part: 'data' };
  yield { end: { bytes: bytes.length }, part: 'end' };
}
