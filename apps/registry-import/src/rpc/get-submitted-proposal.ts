import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

/** The traders service has them. */
export const getSubmittedProposal: Rpc<'registryImport.GetSubmittedProposal', Context> =
  ({ traders }) =>
  ({ proposalId }, call) =>
    traders.FindSubmittedProposal({ proposalId }, { within: call, forPrincipal: true });
