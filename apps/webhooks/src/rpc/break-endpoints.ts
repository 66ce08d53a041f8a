import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { breakage } from '../domain/fault.ts';
import { breakEndpoints as breakThem } from '../operations/sandbox.ts';

export const breakEndpoints: Rpc<'endpointSandbox.BreakEndpoints', Context> = (context) => (request, call) => {
  const wanted = parse(breakage, request, 'The fault is not valid.');
  return breakThem(context, salesChannelOf(call), wanted, actorOf(call));
};
