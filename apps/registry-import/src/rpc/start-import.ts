import { actorOf } from '@saleschannel/audit';
import { forbidden, invalidRequest } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { importFormat } from '../domain/import-format.ts';
import { storeUpload } from '../imports/store-upload.ts';
import { importMessage } from './messages.ts';

/** Stores the file as it comes. What it says is applied afterwards, in the background. */
export const startImport: Rpc<'registryImport.StartImport', Context> = (context) => async (parts, call) => {
  const messages = parts[Symbol.asyncIterator]();
  const first = await messages.next();
  const header = first.done ? undefined : first.value.header;
  if (!header) throw invalidRequest('The first message of an import is its header.');
  if (call.principal?.kind !== 'registry') throw forbidden();
  const { keyId } = call.principal;
  const upload = { keyId, source: importFormat(header), actor: actorOf(call), messages, signal: call.signal };
  const started = await storeUpload(context, upload);
  context.wakeWorker();
  return importMessage(started);
};
