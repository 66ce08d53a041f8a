import type { Rpc } from '@saleschannel/grpc';
import { id, operatorPage, parameters, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { listKeyRecords } from '../store/key-records.ts';
import { keyRecordMessage } from './messages.ts';

const requestSchema = operatorPage.extend({
  userId: id.optional(),
  accountHolderId: id.optional(),
  madeWithKeyId: id.optional(),
});
const place = parameters({
  limit: 'limit',
  after: 'after',
  userId: 'userId',
  accountHolderId: 'accountHolderId',
  madeWithKeyId: 'madeWithKeyId',
});

export const listKeys: Rpc<'identityAdministration.ListKeys', Context> =
  ({ database }) =>
  async (request) => {
    const wanted = parse(requestSchema, request, 'The keys cannot be listed.', place);
    return { keys: (await listKeyRecords(database.em(), wanted)).map(keyRecordMessage) };
  };
