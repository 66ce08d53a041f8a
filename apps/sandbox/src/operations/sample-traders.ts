import { accessRules, requireAccess } from '@saleschannel/auth';
import { salesChannelOf, userOf, type Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import {
  FACILITY,
  facility,
  describeHolder,
  describeIssuance,
  toSelection,
  describeNewHolder,
  type SampleRole,
} from '../domain/samples.ts';

/** An account holder and its trader on the channel. */
export interface SampleTrader {
  readonly accountHolderId: string;
  readonly traderId: string;
}

/**
 * Finds the sample trader of the caller's channel, or onboards it: the registry submits a proposal and the caller
 * accepts it.
 * @throws DomainError 'forbidden' if the caller has to accept a proposal and may not
 */
export const ensureTrader = (context: Context, role: SampleRole, call: Call): Promise<SampleTrader> =>
  onboard(context, describeHolder(salesChannelOf(call), role), call);

/** Onboards a new account holder. */
export const onboardNewTrader = (context: Context, name: string, call: Call): Promise<SampleTrader> =>
  onboard(context, describeNewHolder(salesChannelOf(call), name), call);

async function onboard({ registry, traders }: Context, holder: object, call: Call): Promise<SampleTrader> {
  const salesChannelId = salesChannelOf(call);
  const accountHolderId = await registry.ensureAccountHolder(holder, call);
  const proposal = await registry.submitProposal({ accountHolderId, salesChannelId }, call);
  if (proposal.status === 'ACCEPTED') return { accountHolderId, traderId: requireTraderId(proposal.onboardedTraderId) };
  requireAccess(accessRules.acceptProposal, userOf(call));
  const accepted = await traders.AcceptProposal({ proposalId: proposal.id }, { within: call, forPrincipal: true });
  return { accountHolderId, traderId: requireTraderId(accepted.onboardedTraderId) };
}

function requireTraderId(id: string | null | undefined): string {
  if (typeof id !== 'string') throw new Error('The accepted proposal has no trader.');
  return id;
}

/** Issues new certificates to the trader, and returns a range from the start of their bundle. */
export async function issueCertificates(
  { registry }: Context,
  { accountHolderId }: SampleTrader,
  call: Call,
): Promise<{ start: string; end: string }> {
  const issuance = describeIssuance(accountHolderId, salesChannelOf(call));
  await registry.putFacility(FACILITY, facility, call);
  await registry.createIssuance(issuance, call);
  return toSelection(issuance);
}
