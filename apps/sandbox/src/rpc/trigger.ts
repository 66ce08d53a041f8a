import type { Rpc } from '@saleschannel/grpc';
import { parameters, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { kinds } from '../domain/kind.ts';
import { outcomes } from '../operations/outcomes.ts';

const requestSchema = z.object({ kind: z.enum(kinds) });
const place = parameters({});

export const trigger: Rpc<'sandbox.Trigger', Context> = (context) => async (request, call) => {
  const { kind } = parse(requestSchema, request, 'The kind is not valid.', place);
  return outcomes[kind](context, call);
};
