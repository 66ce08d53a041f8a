import { recordAudit, REGISTRY_SCOPE } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import { DomainError, invalidRequest } from '@saleschannel/errors';
import type { EntityManager } from '@saleschannel/database';
import type { RequestOf } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import type { ImportFormat } from '../domain/import-format.ts';
import type { ImportProgress } from '../store/imports.ts';
import { CHUNK_BYTES, createUpload, failUpload, insertChunk, queueImport, renewUpload } from '../store/uploads.ts';

type Messages = AsyncIterator<RequestOf<'registryImport.StartImport'>>;

const brokenOff = (): DomainError =>
  new DomainError('unavailable', 'The upload broke off. Nothing of the file was applied: send it again.');

/** What is uploaded, and by whom. */
export interface Upload {
  readonly source: ImportFormat;
  readonly actor: Actor;
}

/** The file is complete: it is recorded, and the next free worker takes it. */
async function receive(em: EntityManager, id: string, actor: Actor): Promise<ImportProgress | undefined> {
  const queued = await queueImport(em, id);
  const act = { action: 'registry-import.import.received', subject: { type: 'import', id } } as const;
  if (queued) await recordAudit(em, [{ ...act, scopes: [REGISTRY_SCOPE], actor }]);
  return queued;
}

/**
 * Writes a file to the database as it comes, a chunk at a time: the sender is slowed to what the database takes, and
 * memory stays flat. When the upload breaks off, the import is FAILED and nothing of the file is applied.
 * @param messages the upload without its header
 * @throws DomainError 'unavailable' when the upload breaks off, 'invalid-request' for a second header
 */
export async function storeUpload(
  { database, lease, logger }: Context,
  { source, actor }: Upload,
  messages: Messages,
  signal: AbortSignal,
): Promise<ImportProgress> {
  const id = newId();
  await createUpload(database.em(), id, { source, actor }, lease.leaseMs);
  const renewal = setInterval(() => {
    renewUpload(database.em(), id, lease.leaseMs).catch((error: unknown) =>
      logger.warn({ err: error, importId: id }, 'cannot renew an upload'),
    );
  }, lease.leaseMs / 3);
  try {
    let position = 0;
    for await (const chunk of chunksOf(messages)) {
      if (!(await insertChunk(database.em(), id, position, chunk))) throw brokenOff();
      position += 1;
    }
    const queued = signal.aborted ? undefined : await database.transaction((em) => receive(em, id, actor));
    if (!queued) throw brokenOff();
    return queued;
  } catch (error) {
    logger.info({ err: error, importId: id }, 'an upload broke off');
    // If this fails too, the upload's lease ends and a worker gives it up.
    await database.transaction((em) => failUpload(em, id)).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** The pieces of the file, whatever their sizes, as chunks of {@link CHUNK_BYTES}. Only the last one is shorter. */
async function* chunksOf(messages: Messages): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const message of { [Symbol.asyncIterator]: () => messages }) {
    if (message.header) throw invalidRequest('Only the first message of an import is a header.');
    for (let rest = message.data ?? Buffer.alloc(0); rest.length > 0;) {
      const piece = rest.subarray(0, CHUNK_BYTES - size);
      rest = rest.subarray(piece.length);
      parts.push(piece);
      size += piece.length;
      if (size < CHUNK_BYTES) continue;
      yield Buffer.concat(parts);
      parts = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(parts);
}
