import { DomainError, invalidRequest } from '@saleschannel/errors';
import { recordTypes, type RecordType } from './import-record.ts';

/** How the file of an import is written. A CSV file holds records of one type. */
export type ImportFormat =
  { readonly format: 'ndjson'; readonly type: null } | { readonly format: 'csv'; readonly type: RecordType };

const isRecordType = (text: string | undefined): text is RecordType =>
  (recordTypes as readonly (string | undefined)[]).includes(text);

const wrongType = (detail: string): DomainError =>
  invalidRequest(detail, [{ parameter: 'type', code: 'import-type', detail }]);

/** @throws DomainError 'invalid-request' or 'unsupported-media-type' */
export function importFormat({ contentType, type }: { contentType: string; type?: string | undefined }): ImportFormat {
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase();
  if (mediaType === 'application/x-ndjson') {
    if (type) throw wrongType('In NDJSON every line names its own type.');
    return { format: 'ndjson', type: null };
  }
  if (mediaType !== 'text/csv') {
    throw new DomainError('unsupported-media-type', 'An import is application/x-ndjson or text/csv.');
  }
  if (!isRecordType(type)) throw wrongType(`A CSV file holds records of one type: ${recordTypes.join(', ')}.`);
  return { format: 'csv', type };
}
