import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';

/** The traders service has them. */
export const listSubmittedProposals: Rpc<'registryImport.ListSubmittedProposals', Context> =
  ({ traders }) =>
  (request, call) =>
    traders.PageSubmittedProposals(request, { within: call, forPrincipal: true });
