import { DomainError, invalidRequest, type FaultWording } from '@saleschannel/errors';
import { faults } from '@saleschannel/primitives/validation';
import { recordTypes, type RecordType } from './records.ts';

/** Format of an import's file. A CSV file has records of one type. */
export type ImportFormat =
  { readonly format: 'ndjson'; readonly type: null } | { readonly format: 'csv'; readonly type: RecordType };

const wrongType = (fault: FaultWording): DomainError =>
  invalidRequest('The type of the records is not valid.', [{ parameter: 'type', ...fault }]);

const isRecordType = (text: string): text is RecordType => recordTypes.some((type) => type === text);

/** @throws DomainError 'invalid-request' or 'unsupported-media-type' */
export function parseImportFormat({
  contentType,
  type,
}: {
  contentType: string;
  type?: string | undefined;
}): ImportFormat {
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase();
  if (mediaType === 'application/x-ndjson') {
    if (type === undefined) return { format: 'ndjson', type: null };
    throw wrongType({ code: 'not-allowed', detail: 'is only for CSV. Each line of NDJSON has its own' });
  }
  if (mediaType !== 'text/csv')
    throw new DomainError('unsupported-media-type', 'An import is application/x-ndjson or text/csv.');
  if (type === undefined) throw wrongType({ code: 'required', detail: 'is required for CSV' });
  if (!isRecordType(type)) throw wrongType(faults.enum(recordTypes));
  return { format: 'csv', type };
}

const LINE_FEED = 0x0a;

const tooLarge = (unit: string, limit: number): DomainError =>
  new DomainError('payload-too-large', `The file has more than ${limit} ${unit}. Send it in parts.`);

/** Counts an upload as it arrives, and refuses it beyond the limits. */
export class UploadQuota {
  readonly #limits: { readonly bytes: number; readonly lines: number };
  #bytes = 0;
  #lineFeeds = 0;
  #endsWithLine = true;

  constructor(limits: { readonly bytes: number; readonly lines: number }) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws DomainError 'payload-too-large' */
  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) this.#lineFeeds += 1;
    this.#endsWithLine = piece.at(-1) === LINE_FEED;
    const { bytes, lines } = this.#limits;
    if (this.#bytes > bytes) throw tooLarge('bytes', bytes);
    if (this.#lineFeeds + (this.#endsWithLine ? 0 : 1) > lines) throw tooLarge('lines', lines);
  }
}
