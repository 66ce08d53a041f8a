import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { leaveEndpoints as leave } from '../operations/sandbox.ts';

export const leaveEndpoints: Rpc<'endpointSandbox.LeaveEndpoints', Context> =
  (context) =>
  async ({ dryRun }, call) => ({ endpoints: await leave(context, salesChannelOf(call), actorOf(call), dryRun) });
