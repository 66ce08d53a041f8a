import { defaultJsonLimits, hasBody, matchMediaType, readJson, type BodyLimits } from '@saleschannel/edge';
import type { Request } from 'express';

const limits: BodyLimits = { bytes: 65_536, timeoutMs: 20_000, json: defaultJsonLimits };
const mediaTypes = new Map([['application/json', true]]);

/**
 * Reads a JSON body. Without one there is nothing to read, and the operation's schema says what is missing.
 * @throws DomainError 'unsupported-media-type', 'payload-too-large', 'malformed-body' or 'invalid-request'
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  matchMediaType(request, mediaTypes);
  return readJson(request, limits);
}
