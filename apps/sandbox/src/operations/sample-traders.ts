import { access, requireAccess } from '@saleschannel/auth';
import { salesChannelOf, userOf, type Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { FACILITY, facility, holderOf, issuanceOf, selectionOf, strangerOf, type Part } from '../domain/samples.ts';

/** An account holder that trades on the channel. */
export interface Sample {
  readonly accountHolderId: string;
  readonly traderId: string;
}

/**
 * The trader of this part on the caller's channel. Where there is none yet, the registry proposes it, and the caller
 * accepts.
 * @throws DomainError 'forbidden' for a caller who may not accept proposals, where one has to be
 */
export const ensureTrader = (context: Context, part: Part, call: Call): Promise<Sample> =>
  onboard(context, holderOf(salesChannelOf(call), part), call);

/** The same for an account holder whom nobody has heard of. */
export const addTrader = (context: Context, name: string, call: Call): Promise<Sample> =>
  onboard(context, strangerOf(salesChannelOf(call), name), call);

async function onboard({ registry, traders }: Context, holder: object, call: Call): Promise<Sample> {
  const salesChannelId = salesChannelOf(call);
  const accountHolderId = await registry.ensureAccountHolder(holder, call);
  const proposal = await registry.submitProposal({ accountHolderId, salesChannelId }, call);
  if (proposal.status === 'ACCEPTED') return { accountHolderId, traderId: traderOf(proposal.onboardedTraderId) };
  requireAccess(access.acceptProposal, userOf(call));
  const accepted = await traders.AcceptProposal({ proposalId: proposal.id }, { within: call, forPrincipal: true });
  return { accountHolderId, traderId: traderOf(accepted.onboardedTraderId) };
}

function traderOf(id: string | null | undefined): string {
  if (typeof id !== 'string') throw new Error('an accepted proposal names no trader');
  return id;
}

/** Certificates of the trader that nobody has moved yet, from the start of their bundle. */
export async function issueTo(
  { registry }: Context,
  { accountHolderId }: Sample,
  call: Call,
): Promise<{ start: string; end: string }> {
  const issuance = issuanceOf(accountHolderId, salesChannelOf(call));
  await registry.putFacility(FACILITY, facility, call);
  await registry.createIssuance(issuance, call);
  return selectionOf(issuance);
}
