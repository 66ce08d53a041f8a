import { id, idempotencyKey, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { readSelections, selectionRefused, type Selection } from './selection.ts';

const requestSchema = z.object({
  idempotencyKey,
  accountHolderId: id,
  salesChannelId: id,
  traderId: z.preprocess((value) => (value === '' ? undefined : value), id.optional()),
  assets: z.array(z.object({ start: z.string(), end: z.string() })).min(1),
});

const keyLocation = parameters({ idempotencyKey: 'Idempotency-Key' });

interface ParsedOnramp {
  readonly key: string;
  readonly accountHolderId: string;
  readonly salesChannelId: string;
  readonly traderId: string | undefined;
  readonly selections: readonly Selection[];
}

/** @throws DomainError 'invalid-request', or 'request-refused' for malformed selections */
export function readOnramp(request: unknown): ParsedOnramp {
  const {
    assets,
    idempotencyKey: key,
    traderId,
    ...rest
  } = parse(requestSchema, request, 'The onramp is not valid.', keyLocation);
  const read = readSelections(assets);
  if ('faults' in read) throw selectionRefused(read.faults);
  return { ...rest, key, traderId, selections: read.selections };
}
