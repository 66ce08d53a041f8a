import { createHash } from 'node:crypto';
import { recordAudit, REGISTRY_SCOPE } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { DomainError, invalidRequest } from '@saleschannel/errors';
import type { RequestOf } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { runWithin } from '@saleschannel/runtime';
import type { Context } from '../context.ts';
import type { LineFailure } from '../domain/records.ts';
import { UploadQuota, type ImportFormat } from '../domain/upload.ts';
import {
  CHUNK_BYTES,
  createUpload,
  discardUpload,
  failUpload,
  UPLOAD_INCOMPLETE,
  insertChunk,
  queueImport,
  renewUpload,
  type ImportProgress,
} from '../store/imports.ts';

type Messages = AsyncIterator<RequestOf<'registryImport.StartImport'>>;

export interface Upload {
  /** Registry key of the sender. */
  readonly keyId: string;
  /** Owner of the key. Null for operators. */
  readonly holderId: string | null;
  readonly source: ImportFormat;
  readonly actor: Actor;
  /** Messages after the header. */
  readonly messages: Messages;
  readonly signal: AbortSignal;
}

const RETRY_AFTER_SECONDS = 30;
const END_WITHIN_MS = 10_000;
/** Lease of an upload, relative to that of an import: an expired upload must start again. */
const UPLOAD_LEASE_FACTOR = 2;

const brokenOff = (): DomainError =>
  new DomainError('unavailable', 'The upload broke off. Nothing of the file was applied. Send it again.');

const tooMany = (limit: number): DomainError =>
  new DomainError('rate-limited', `${limit} imports of this key are not finished. Wait until one of them is.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** Queues a complete file for the next free worker. */
const receive = (database: Database, id: string, actor: Actor): Promise<ImportProgress> =>
  database.transaction(async (em) => {
    const queued = await queueImport(em, id);
    if (!queued) throw brokenOff();
    const act = { action: 'registry-import.import.received', subject: { type: 'import', id } } as const;
    await recordAudit(em, [{ ...act, scopes: [REGISTRY_SCOPE], actor }]);
    return queued;
  });

/** Starts the import of a complete file, or returns the import of the same file and key. */
type ReceiveOnce<Started> = (
  sha256: string,
  receive: (database: Database) => Promise<ImportProgress>,
) => Promise<Started>;

/**
 * Ends an upload in its own call context, because the sender may have cancelled the call. If this fails, the lease
 * expires and a worker fails the upload.
 */
const endUpload = (database: Database, end: (em: EntityManager) => Promise<void>): Promise<void> =>
  runWithin({ deadline: Date.now() + END_WITHIN_MS, isCancelled: () => false }, () => database.transaction(end)).catch(
    () => undefined,
  );

/**
 * Writes a file to the database chunk by chunk, which slows the sender to the database's speed and keeps memory flat.
 * If the upload breaks off or is too large, the import is FAILED and nothing is applied. A repeated upload is deleted.
 * @throws DomainError 'unavailable' if the upload breaks off, 'invalid-request' for a second header,
 * 'payload-too-large' beyond the quotas, 'rate-limited' at the limit of unfinished imports, 'idempotency-key-reused' if
 * the key belongs to another file
 */
export async function storeUpload<Started extends { readonly importId?: string | undefined }>(
  { database, lease, quotas, logger }: Context,
  { keyId, holderId, source, actor, messages, signal }: Upload,
  receiveOnce: ReceiveOnce<Started>,
): Promise<Started> {
  const id = newId();
  const leaseMs = UPLOAD_LEASE_FACTOR * lease.leaseMs;
  const upload = { id, keyId, holderId, source, actor: toLineActor(actor), leaseMs };
  if (!(await database.transaction((em) => createUpload(em, upload, quotas.waitingPerKey))))
    throw tooMany(quotas.waitingPerKey);
  const renewal = setInterval(() => {
    renewUpload(database.em(), id, leaseMs).catch((error: unknown) =>
      logger.warn({ err: error, importId: id }, 'the lease of an upload cannot be renewed'),
    );
  }, leaseMs / 3);
  try {
    let position = 0;
    const digest = createHash('sha256');
    for await (const chunk of readChunks(messages, new UploadQuota(quotas))) {
      if (!(await insertChunk(database.em(), id, position, chunk))) throw brokenOff();
      digest.update(chunk);
      position += 1;
    }
    if (signal.aborted) throw brokenOff();
    const started = await receiveOnce(digest.digest('hex'), (keyed) => receive(keyed, id, actor));
    if (started.importId !== id) await endUpload(database, (em) => discardUpload(em, id));
    return started;
  } catch (error) {
    const isReuse = error instanceof DomainError && error.code === 'idempotency-key-reused';
    if (!isReuse) logger.info({ err: error, importId: id }, 'an upload broke off');
    await endUpload(database, (em) => (isReuse ? discardUpload(em, id) : failUpload(em, id, toFailure(error))));
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/**
 * Returns the actor of applied lines. Named operators belong to the trail of the installation, which records the upload
 * once rather than each line.
 */
function toLineActor(actor: Actor): Actor {
  if (actor.kind !== 'operator') return actor;
  const { id: _name, ...unnamed } = actor;
  return unnamed;
}

const toFailure = (error: unknown): LineFailure =>
  error instanceof DomainError && error.code === 'payload-too-large'
    ? { code: error.code, detail: `${error.message} Nothing of it was applied.` }
    : UPLOAD_INCOMPLETE;

/**
 * Joins the messages of a file to chunks of {@link CHUNK_BYTES}. Only the last one is shorter.
 * @throws DomainError 'unavailable' without an end marker, because the messages of a cancelled call just stop
 */
async function* readChunks(messages: Messages, quota: UploadQuota): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  let isComplete = false;
  for await (const { header, data, end } of { [Symbol.asyncIterator]: () => messages }) {
    if (header) throw invalidRequest('Only the first message of an import is a header.');
    if (isComplete) throw invalidRequest('Nothing follows the end of an import.');
    isComplete = end !== undefined && end !== null && Number(end.bytes) === quota.bytes;
    if (end && !isComplete) throw brokenOff();
    if (!data) continue;
    quota.add(data);
    for (let rest = data; rest.length > 0;) {
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
  if (!isComplete) throw brokenOff();
  if (size > 0) yield Buffer.concat(parts);
}
