import { actorOf } from '@saleschannel/audit';
import { forbidden, invalidRequest } from '@saleschannel/errors';
import type { Call, Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import type { Context } from '../context.ts';
import { importFormat } from '../domain/import-format.ts';
import { storeUpload, type Upload } from '../imports/store-upload.ts';
import { importMessage } from './messages.ts';

/**
 * Stores the file as it comes. What it says is applied afterwards, in the background. A repeat is known once all of its
 * file has arrived: it is the request of its key if the file is the same.
 */
export const startImport: Rpc<'registryImport.StartImport', Context> = (context) => async (parts, call) => {
  const messages = parts[Symbol.asyncIterator]();
  const first = await messages.next();
  const header = first.done ? undefined : first.value.header;
  if (!header) throw invalidRequest('The first message of an import is its header.');
  const source = importFormat(header);
  const upload = { ...senderOf(call), source, actor: actorOf(call), messages, signal: call.signal };
  const started = await storeUpload(context, upload, (sha256, receive) =>
    answerOnce(
      'registryImport.StartImport',
      { database: context.database, call, request: { ...source, sha256 } },
      receive,
      importMessage,
    ),
  );
  context.wakeWorker();
  return started;
};

/** Returns who shares what one sender may have waiting (a registry key, or all operators), and who takes turns. */
function senderOf({ principal, caller }: Call): Pick<Upload, 'keyId' | 'holderId'> {
  if (principal?.kind === 'registry') return { keyId: principal.keyId, holderId: principal.accountHolderId };
  // The RPC of operators asks for no principal, and lets in nobody else.
  if (principal === undefined && caller === 'admin') return { keyId: 'operator', holderId: null };
  throw forbidden();
}
