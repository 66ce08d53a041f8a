import { unreadable } from '@saleschannel/bff';
import { json, type Request, type Response } from 'express';
import { DomainError } from '@saleschannel/errors';

const BYTES_AT_MOST = 65_536;
const JSON_TYPE = 'application/json';

const read = json({ limit: BYTES_AT_MOST, type: JSON_TYPE, inflate: false, strict: true });

/** @throws DomainError 'unsupported-media-type', 'payload-too-large' or 'malformed-body' */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  // Without a body there is nothing whose type could be wrong.
  if (hasBody(request) && !request.is(JSON_TYPE)) throw unsupported();
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error: unknown) => {
      if (error) reject(unreadable(error) ?? error);
      else resolve();
    });
  });
  return request.body as unknown;
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const unsupported = (): DomainError => new DomainError('unsupported-media-type', `Send ${JSON_TYPE} in UTF-8.`);
