import {
  matchMediaType,
  parseJson,
  readText,
  refuseBody,
  type BodyLimits,
  type LargeBodyQueue,
} from '@saleschannel/edge';
import type { ContractOperation } from '../contract/document.ts';
import { requireValid, type Form } from '../contract/form.ts';
import type { BodyOf, OperationId } from '../contract/operations.ts';
import type { Check } from '../contract/schemas.ts';
import { SMALL_BODY_BYTES, type ChannelQueues } from '../limits/channel-queues.ts';
import type { RequestContext } from './request-context.ts';

export interface BodyReaderOptions {
  readonly queues: ChannelQueues;
  /** `maxBytes` lowers the limits of the contract. */
  readonly bodyLimits: BodyLimits;
}

/**
 * Reads a JSON body and validates it against the contract. Large bodies of one sales channel queue up. Returns
 * undefined for an operation without a body, or with a streamed body.
 * @throws DomainError 'payload-too-large', 'unsupported-media-type', 'malformed-body', 'invalid-request'
 */
export async function readBody<Id extends OperationId>(
  context: RequestContext,
  { streamed, bodyBytesAtMost }: ContractOperation<Id>,
  { bodies }: Form<Id>,
  { queues, bodyLimits }: BodyReaderOptions,
): Promise<BodyOf<Id>> {
  if (!bodies || streamed) {
    if (!streamed) await refuseBody(context.request, bodyLimits);
    return undefined as BodyOf<Id>;
  }
  const slot = context.cost.bodyBytes > SMALL_BODY_BYTES ? queues.createBodySlot(context.owner) : undefined;
  const limits = { ...bodyLimits, maxBytes: Math.min(bodyLimits.maxBytes, bodyBytesAtMost) };
  try {
    return await readJsonBody(context, bodies, limits, slot);
  } finally {
    slot?.release();
  }
}

/** Reads and checks a body, and records its cost even if it is rejected. */
async function readJsonBody<T>(
  { request, cost }: RequestContext,
  bodies: ReadonlyMap<string, Check<T>>,
  limits: BodyLimits,
  large: LargeBodyQueue | undefined,
): Promise<T> {
  const [, check] = matchMediaType(request, bodies);
  const text = await readText(request, large ? { ...limits, largeBodies: large } : limits);
  cost.bodyBytes = Buffer.byteLength(text);
  const startedMs = performance.now();
  try {
    return requireValid(check(parseJson(text, limits.json)));
  } finally {
    cost.threadMs = performance.now() - startedMs;
  }
}
