import { actorOf } from '@saleschannel/audit';
import { invalidRequest } from '@saleschannel/errors';
import type { Call, RequestOf, Rpc } from '@saleschannel/grpc';
import { scopeOf } from '@saleschannel/idempotency';
import { formatInstant, fingerprintRequest } from '@saleschannel/primitives';
import { faults } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { toRefusal } from '../domain/refusals.ts';
import { isNew } from '../neighbours/ledger.ts';
import { prepareIssuances, type CompleteIssuance, type IssuanceOrder } from '../operations/prepare-issuances.ts';

/** The ledger validates the facility. The answer is the stored one, with its ids. */
export const putFacility: Rpc<'registryImport.PutFacility', Context> =
  ({ ledger }) =>
  async ({ facility }, call) => {
    if (!facility) throw invalidRequest('The facility is missing.', [{ pointer: '#', ...faults.required() }]);
    const created = isNew(
      await ledger.ApplyFacilities({ facilities: [facility], actor: actorOf(call) }, { within: call }),
    );
    const stored = await ledger.GetFacility({ code: facility.code }, { within: call, forPrincipal: true });
    return { facility: stored, created };
  };

/** The ledger validates the issuance. */
export const createIssuance: Rpc<'registryImport.CreateIssuance', Context> = (context) => async (request, call) => {
  const [prepared] = await prepareIssuances(context, [toOrder(request)], { within: call });
  if (!prepared) throw new Error('The issuance was not prepared.');
  if ('fault' in prepared) throw toRefusal(prepared.fault);
  const { issuance } = prepared;
  const applied = await context.ledger.ApplyIssuances(
    { issuances: [issuance], actor: actorOf(call), repeatable: toRepeatable(request, call) },
    { within: call },
  );
  const created = isNew(applied);
  if (applied.replayed) call.markReplayed();
  // Codes ignore case; the answer has the stored spelling.
  const { code } = await context.ledger.GetFacility(
    { code: issuance.productionFacilityCode },
    { within: call, forPrincipal: true },
  );
  return { issuance: { ...asStored(issuance), productionFacilityCode: code }, created };
};

/** The ledger stores the outcome with the issuance, under the client's key. */
const toRepeatable = (request: RequestOf<'registryImport.CreateIssuance'>, call: Call) =>
  call.idempotencyKey === undefined
    ? undefined
    : { scope: scopeOf(call), key: call.idempotencyKey, digest: fingerprintRequest(request).toString('hex') };

/** @throws DomainError 'invalid-request' without an issuance */
function toOrder({ issuance: sent }: RequestOf<'registryImport.CreateIssuance'>): IssuanceOrder {
  if (!sent) throw invalidRequest('The issuance is missing.', [{ pointer: '#', ...faults.required() }]);
  // This service determines the trader. An empty credit type id is a missing one.
  const { traderId: _traderId, creditTypeId, ...issuance } = sent;
  return { issuance: creditTypeId === '' ? issuance : { ...issuance, creditTypeId } };
}

/** Normalizes date-times, which the ledger has validated. */
const asStored = (issuance: CompleteIssuance): CompleteIssuance => ({
  ...issuance,
  productionStartDate: formatInstant(issuance.productionStartDate),
  productionEndDate: formatInstant(issuance.productionEndDate),
  issuingDate: formatInstant(issuance.issuingDate),
  expirationDate: issuance.expirationDate === undefined ? undefined : formatInstant(issuance.expirationDate),
});
