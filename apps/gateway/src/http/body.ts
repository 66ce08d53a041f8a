import type { IncomingMessage } from 'node:http';
import { matchMediaType, parseJson, readText, type BodyLimits } from '@saleschannel/edge';
import { valueOf } from '../contract/form.ts';
import type { Check } from '../contract/schemas.ts';
import type { Cost } from '../limits/cost.ts';

/**
 * Reads a JSON body and checks it against the contract.
 * @param cost gets the bytes read, and the milliseconds that parsing and checking take, also of a body that is refused
 * @throws DomainError 'payload-too-large', 'unsupported-media-type', 'malformed-body', 'invalid-request'
 */
export async function readJsonBody<T>(
  request: IncomingMessage,
  bodies: ReadonlyMap<string, Check<T>>,
  limits: BodyLimits,
  cost: Cost,
): Promise<T> {
  const [, check] = matchMediaType(request, bodies);
  const text = await readText(request, limits);
  cost.bodyBytes = Buffer.byteLength(text);
  const startedMs = performance.now();
  try {
    return valueOf(check(parseJson(text, limits.json)));
  } finally {
    cost.threadMs = performance.now() - startedMs;
  }
}
