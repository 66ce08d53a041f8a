import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { newFault } from '../domain/endpoint.ts';
import { breakEndpoints as setFaults, deleteReplacedEndpoints as leave } from '../operations/sandbox.ts';

export const breakEndpoints: Rpc<'endpointSandbox.BreakEndpoints', Context> = (context) => (request, call) => {
  const fault = parse(newFault, request, 'The fault is not valid.');
  return setFaults(context, salesChannelOf(call), fault, actorOf(call));
};

export const leaveEndpoints: Rpc<'endpointSandbox.LeaveEndpoints', Context> =
  (context) =>
  async ({ dryRun }, call) => ({ endpoints: await leave(context, salesChannelOf(call), actorOf(call), dryRun) });
