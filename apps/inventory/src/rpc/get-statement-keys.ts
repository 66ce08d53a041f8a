import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { documentOf } from './messages.ts';

export const getStatementKeys: Rpc<'publicRegister.GetStatementKeys', Context> =
  ({ signer }) =>
  async () =>
    documentOf(JSON.stringify(signer.publicKeys));
