import { actorOf } from '@saleschannel/audit';
import { accessRules, requireAccess, type AccessRule, type TokenVerifier } from '@saleschannel/auth';
import type { Actor, TransferType } from '@saleschannel/contracts';
import { forbidden } from '@saleschannel/errors';
import { parseTransfer, determineTransferType, type Transfer, type TransferRequest } from '../domain/transfer.ts';

/** A transfer as requested, with the token of the user. */
export interface IncomingTransfer extends TransferRequest {
  readonly principalToken: string;
  /** W3C trace context of the request. Empty without a trace. */
  readonly traceparent: string;
  /** Id of the public request. */
  readonly requestId?: string | undefined;
  /** Network address of the client. */
  readonly clientAddress?: string | undefined;
}

/** A well-formed transfer of a user who may start it. */
export interface AuthorizedTransfer {
  readonly salesChannelId: string;
  readonly transfer: Transfer;
  /** True if its selections are serials without issuance, which may begin anywhere within a bundle. */
  readonly isOfPreviousGeneration: boolean;
  readonly actor: Actor;
  readonly traceparent: string;
}

const startAccess: Record<TransferType, AccessRule> = {
  TRADE: accessRules.startTrade,
  RETIREMENT: accessRules.startRetirement,
  OFFRAMP: accessRules.startOfframp,
};

/** @throws DomainError 'unauthenticated', 'forbidden', 'sales-channel-suspended' or 'invalid-request' */
export async function authorizeTransfer(
  verifier: TokenVerifier,
  request: IncomingTransfer,
): Promise<AuthorizedTransfer> {
  const type = determineTransferType(request);
  const principal = await verifier.verifyPrincipal(request.principalToken);
  if (principal.kind !== 'user' || principal.salesChannelId === undefined) throw forbidden();
  requireAccess(startAccess[type], principal);
  const { requestId, clientAddress } = request;
  return {
    salesChannelId: principal.salesChannelId,
    transfer: parseTransfer(type, request),
    isOfPreviousGeneration: request.previousGeneration === true,
    traceparent: request.traceparent,
    actor: actorOf({ caller: 'gateway', principal, requestId, clientAddress }),
  };
}
