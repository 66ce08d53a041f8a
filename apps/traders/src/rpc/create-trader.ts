import type { CreateTraderRequest__Output } from '@saleschannel/contracts/gen/traders/v1/CreateTraderRequest';
import type { CreateTraderResponse } from '@saleschannel/contracts/gen/traders/v1/CreateTraderResponse';
import { invalidRequest, type Violation } from '@saleschannel/errors';
import { salesChannelOf, type Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { addressOf, legalEntityViolations, type LegalEntity } from '../domain/trader.ts';
import { createTrader as create } from '../operations/create-trader.ts';

const IDEMPOTENCY_KEY = /^[A-Za-z0-9_-]{1,64}$/;

export const createTrader =
  ({ database }: Context) =>
  async (request: CreateTraderRequest__Output, call: Call): Promise<CreateTraderResponse> => {
    const salesChannelId = salesChannelOf(call);
    return create(database, salesChannelId, request.idempotencyKey, readRequest(request));
  };

/** @throws DomainError 'invalid-request' that points at every fault */
function readRequest({ idempotencyKey, businessId, name, address }: CreateTraderRequest__Output): LegalEntity {
  const entity: LegalEntity = { businessId, name, address: addressOf(address ?? {}) };
  const violations: Violation[] = legalEntityViolations(entity);
  if (!address) violations.push({ pointer: '#/address', detail: 'is required', code: 'required' });
  if (!IDEMPOTENCY_KEY.test(idempotencyKey)) {
    violations.push({
      parameter: 'Idempotency-Key',
      detail: 'must be 1 to 64 letters, digits, underscores or hyphens',
      code: 'pattern',
    });
  }
  if (violations.length > 0) throw invalidRequest('The trader cannot be created like this.', violations);
  return entity;
}
