import type { IncomingMessage } from 'node:http';
import { matchMediaType, parseJson, readText, type BodyLimits } from '@saleschannel/edge';
import { valueOf } from '../contract/form.ts';
import type { Check } from '../contract/schemas.ts';

/**
 * Reads a JSON body and checks it against the contract.
 * @param measured gets the milliseconds for which parsing and checking kept the thread, also of a body that is refused
 * @throws DomainError 'payload-too-large', 'unsupported-media-type', 'malformed-body', 'invalid-request'
 */
export async function readJsonBody<T>(
  request: IncomingMessage,
  bodies: ReadonlyMap<string, Check<T>>,
  limits: BodyLimits,
  measured: (ms: number) => void,
): Promise<T> {
  const [, check] = matchMediaType(request, bodies);
  const text = await readText(request, limits);
  const startedMs = performance.now();
  try {
    return valueOf(check(parseJson(text, limits.json)));
  } finally {
    measured(performance.now() - startedMs);
  }
}
