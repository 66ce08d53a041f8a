import type { ImportPart__Output } from '@saleschannel/contracts/gen/registry_import/v1/ImportPart';
import { DomainError, invalidRequest } from '@saleschannel/errors';
import { isRecordType, recordTypes, type RecordType } from './import-record.ts';

/** How the file of an import is written. */
export type ImportFormat =
  { readonly format: 'ndjson'; readonly type: null } | { readonly format: 'csv'; readonly type: RecordType };

const wrongType = (detail: string): DomainError =>
  invalidRequest(detail, [{ parameter: 'type', code: 'import-type', detail }]);

/** @throws DomainError `invalid-request`, `unsupported-media-type` */
export function readHeader(part: ImportPart__Output | undefined): ImportFormat {
  if (!part?.header) throw invalidRequest('The first message of an import is its header.');
  const { contentType, type } = part.header;
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
