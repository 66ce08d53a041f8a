import { actorOf } from '@saleschannel/audit';
import { invalidRequest } from '@saleschannel/errors';
import type { Call, RequestOf, Rpc } from '@saleschannel/grpc';
import { scopeOf } from '@saleschannel/idempotency';
import { isoInstant, requestFingerprint } from '@saleschannel/primitives';
import { faults } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { refusedFor } from '../domain/refusals.ts';
import { isNew } from '../neighbours/ledger-answers.ts';
import { prepareIssuances, type CompleteIssuance, type IssuanceOrder } from '../operations/prepare-issuances.ts';

/** The ledger checks what the facility says. The answer shows what it stored, with the ids. */
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

/** The ledger checks what the issuance says. */
export const createIssuance: Rpc<'registryImport.CreateIssuance', Context> = (context) => async (request, call) => {
  const [prepared] = await prepareIssuances(context, [orderOf(request)], { within: call });
  if (!prepared) throw new Error('an issuance was not prepared');
  if ('fault' in prepared) throw refusedFor(prepared.fault);
  const { issuance } = prepared;
  const applied = await context.ledger.ApplyIssuances(
    { issuances: [issuance], actor: actorOf(call), repeatable: repeatableOf(request, call) },
    { within: call },
  );
  const created = isNew(applied);
  if (applied.replayed) call.markReplayed();
  // The code is unique without regard to case, and kept as it was first written.
  const { code } = await context.ledger.GetFacility(
    { code: issuance.productionFacilityCode },
    { within: call, forPrincipal: true },
  );
  return { issuance: { ...asStored(issuance), productionFacilityCode: code }, created };
};

/** The ledger keeps the outcome under the client's key, with the issuance. */
const repeatableOf = (request: RequestOf<'registryImport.CreateIssuance'>, call: Call) =>
  call.idempotencyKey === undefined
    ? undefined
    : { scope: scopeOf(call), key: call.idempotencyKey, digest: requestFingerprint(request).toString('hex') };

/** @throws DomainError 'invalid-request' without an issuance */
function orderOf({ issuance: sent }: RequestOf<'registryImport.CreateIssuance'>): IssuanceOrder {
  if (!sent) throw invalidRequest('The issuance is missing.', [{ pointer: '#', ...faults.required() }]);
  // The trader is for this service to find. Without a credit type id the usual one of the credit type is meant.
  const { traderId: _traderId, creditTypeId, ...issuance } = sent;
  return { issuance: creditTypeId === '' ? issuance : { ...issuance, creditTypeId } };
}

/** The ledger has taken it, so its date-times are some. */
const asStored = (issuance: CompleteIssuance): CompleteIssuance => ({
  ...issuance,
  productionStartDate: isoInstant(issuance.productionStartDate),
  productionEndDate: isoInstant(issuance.productionEndDate),
  issuingDate: isoInstant(issuance.issuingDate),
  expirationDate: issuance.expirationDate === undefined ? undefined : isoInstant(issuance.expirationDate),
});
