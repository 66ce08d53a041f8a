import { actorOf } from '@saleschannel/audit';
import { forbidden, invalidRequest, notFound } from '@saleschannel/errors';
import { readerOf, type Call, type ResponseOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, readPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { parseImportFormat } from '../domain/upload.ts';
import { storeUpload, type Upload } from '../imports/store-upload.ts';
import { findImport, listErrors, listImports as list, type ImportProgress } from '../store/imports.ts';

const toImportMessage = ({ completedAt, ...progress }: ImportProgress): ResponseOf<'registryImport.GetImport'> =>
  completedAt === null ? progress : { ...progress, completedAt };

/**
 * Stores the file as it arrives. A worker applies it later. A repeat is recognized by the file's digest, once all of it
 * has arrived.
 */
export const startImport: Rpc<'registryImport.StartImport', Context> = (context) => async (parts, call) => {
  const messages = parts[Symbol.asyncIterator]();
  const first = await messages.next();
  const header = first.done ? undefined : first.value.header;
  if (!header) throw invalidRequest('The first message of an import is its header.');
  const source = parseImportFormat(header);
  const upload = { ...toSender(call), source, actor: actorOf(call), messages, signal: call.signal };
  const started = await storeUpload(context, upload, (sha256, receive) =>
    answerOnce(
      'registryImport.StartImport',
      { database: context.database, call, request: { ...source, sha256 } },
      receive,
      toImportMessage,
    ),
  );
  context.wakeWorker();
  return started;
};

/** Returns the owner of the quota (a registry key, or all operators together), and of the turns. */
function toSender({ principal, caller }: Call): Pick<Upload, 'keyId' | 'holderId'> {
  if (principal?.kind === 'registry') return { keyId: principal.keyId, holderId: principal.accountHolderId };
  // The RPC of operators requires no principal.
  if (principal === undefined && caller === 'admin') return { keyId: 'operator', holderId: null };
  throw forbidden();
}

export const listImports: Rpc<'registryImport.ListImports', Context> =
  ({ reads }) =>
  async (request, call) => {
    const page = readPage(request.page);
    const { total, next, rows } = await reads.page(readerOf(call), (em) => list(em, page));
    return { total, next, imports: rows.map(toImportMessage) };
  };

export const getImport: Rpc<'registryImport.GetImport', Context> =
  ({ database }) =>
  async ({ importId }) => {
    const found = await findImport(database.em(), idToFind(importId));
    if (!found) throw notFound();
    return toImportMessage(found);
  };

export const listImportErrors: Rpc<'registryImport.ListImportErrors', Context> =
  ({ reads }) =>
  async (request, call) => {
    const page = readPage(request.page);
    const importId = idToFind(request.importId);
    return reads.page(readerOf(call), async (em) => {
      if (!(await findImport(em, importId))) throw notFound();
      const { total, next, rows } = await listErrors(em, importId, page);
      return { total, next, errors: rows };
    });
  };
