import type { MethodDefinition } from '@grpc/proto-loader';
import type { Sealer } from '@saleschannel/auth';
import { services, type ServiceContract } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { idempotencyKeyReused, unavailable } from '@saleschannel/errors';
import type { Call, ResponseOf, RpcPath } from '@saleschannel/grpc';
import { fingerprintRequest } from '@saleschannel/primitives';
import { idempotencyKey, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { findRecord, insertRecord, storeAnswer, type KeyedRequest } from './records.ts';
import { scopeOf } from './scope.ts';

/** Longer than the 24 hours that the API promises, so that late repeats are safe. */
const RETENTION_HOURS = 48;

/**
 * The operation to carry out, with a database whose single transaction also stores the answer. It returns the result of
 * that transaction.
 */
type Operation<Result> = (database: Database) => Promise<Result>;

/** Serialization and retention of answers. */
interface Storage<Answer> {
  readonly toBytes: (answer: Answer) => Promise<Buffer> | Buffer;
  readonly fromBytes: (em: EntityManager, bytes: Buffer) => Promise<Answer> | Answer;
  /** If undefined, the answer is kept as long as the record that the request created. */
  readonly retentionHours?: number;
}

interface KeyedCall {
  readonly call: Call;
  readonly database: Database;
  /** The whole request. Another request with the same key is refused. */
  readonly request: unknown;
  /** Encrypts the stored answer, for answers with a secret. */
  readonly sealer?: Sealer;
}

/**
 * Carries out a call that creates a record, once per idempotency key of its caller. A repeat gets the first call's
 * response. Without a key, the operation always runs. A refused request does not use up its key.
 * @throws DomainError 'idempotency-key-reused' if the key belongs to another request
 */
export async function answerOnce<Path extends RpcPath, Result>(
  path: Path,
  { call, database, request, sealer }: KeyedCall,
  operation: Operation<Result>,
  toAnswer: (result: Result) => ResponseOf<Path>,
): Promise<ResponseOf<Path>> {
  const { idempotencyKey: key } = call;
  if (key === undefined) return toAnswer(await operation(database));
  parse(keySchema, { key }, 'The idempotency key is not valid.', keyIn);
  const keyed = { scope: scopeOf(call), operation: path, key, fingerprint: fingerprintRequest(request) };
  const storage = createStorage<Path>(path);
  const sealed = sealer ? sealStorage(storage, sealer, keyed) : storage;
  return carryOutOnce({ database, keyed, markReplayed: () => call.markReplayed() }, operation, toAnswer, sealed);
}

interface RecordedRequest {
  readonly database: Database;
  /** Owner of the key, possibly not the caller: `channelScope` or `holderScope`. */
  readonly scope: string;
  readonly key: string;
  /** The whole request. Another request with the same key is refused. */
  readonly request: unknown;
}

/** Reference from a key to the record that it created. */
interface RecordStorage<Result> {
  readonly toId: (record: Result) => string;
  /** Loads the record in its current state. */
  readonly load: (em: EntityManager, id: string) => Promise<Result> | Result;
}

/**
 * Creates a record once per key. The key is kept as long as the record, and a repeat gets the record in its current
 * state. A refused request does not use up its key.
 * @throws DomainError 'idempotency-key-reused' if the key created the record of another request
 */
export async function recordOnce<Result>(
  path: RpcPath,
  { database, scope, key, request }: RecordedRequest,
  operation: Operation<Result>,
  { toId, load }: RecordStorage<Result>,
): Promise<{ made: Result; replayed: boolean }> {
  const keyed = { scope, operation: path, key, fingerprint: fingerprintRequest(request) };
  let replayed = false;
  const markReplayed = (): void => void (replayed = true);
  const made = await carryOutOnce({ database, keyed, markReplayed }, operation, (record) => record, {
    toBytes: (record) => Buffer.from(toId(record)),
    fromBytes: (em, bytes) => load(em, bytes.toString()),
  });
  return { made, replayed };
}

const keyIn = parameters({ key: 'Idempotency-Key' });
const keySchema = z.object({ key: idempotencyKey });

/** Rolls back the transaction of a repeated request, whose answer is known. */
class Replayed extends Error {
  readonly answer: unknown;

  constructor(answer: unknown) {
    super('The request was already carried out.');
    this.answer = answer;
  }
}

interface Execution {
  readonly database: Database;
  readonly keyed: KeyedRequest;
  readonly markReplayed: () => void;
}

async function carryOutOnce<Result, Answer>(
  { database, keyed, markReplayed }: Execution,
  operation: Operation<Result>,
  toAnswer: (result: Result) => Answer,
  { toBytes, fromBytes, retentionHours }: Storage<Answer>,
): Promise<Answer> {
  let outcome: { readonly result: unknown; readonly answer: Answer } | undefined;
  const transaction: Database['transaction'] = (work, options) => {
    if (outcome)
      throw new Error(`${keyed.operation} has two transactions, and the second one would not be repeatable.`);
    return database.transaction(async (em) => {
      if (!(await insertRecord(em, keyed, retentionHours))) throw new Replayed(await knownAnswer(em, keyed, fromBytes));
      const result = await work(em);
      const answer = toAnswer(result as unknown as Result);
      storeAnswer(em, keyed, await toBytes(answer));
      outcome = { result, answer };
      return result;
    }, options);
  };
  try {
    const result = await operation({ ...database, transaction });
    if (!outcome || outcome.result !== result)
      throw new Error(`${keyed.operation} must return the result of its transaction.`);
    return outcome.answer;
  } catch (error) {
    if (!(error instanceof Replayed)) throw error;
    markReplayed();
    return error.answer as Answer;
  }
}

async function knownAnswer<Answer>(
  em: EntityManager,
  keyed: KeyedRequest,
  fromBytes: Storage<Answer>['fromBytes'],
): Promise<Answer> {
  const known = await findRecord(em, keyed);
  if (!known) throw unavailable(new Error('the idempotency key expired while the request was repeated'));
  if (!known.isSame) throw idempotencyKeyReused();
  return fromBytes(em, known.answer);
}

/** Stores answers as messages of the RPC, which every release can read. */
function createStorage<Path extends RpcPath>(path: Path): Storage<ResponseOf<Path>> {
  const [service = '', name = ''] = path.split('.');
  const contract = (services as unknown as Record<string, ServiceContract<unknown, unknown>>)[service];
  const method = contract?.definition[name] as MethodDefinition<object, object> | undefined;
  if (!method) throw new Error(`There is no RPC ${path}.`);
  return {
    retentionHours: RETENTION_HOURS,
    toBytes: (answer) => method.responseSerialize(answer as object),
    fromBytes: (_em, bytes) => method.responseDeserialize(bytes) as ResponseOf<Path>,
  };
}

const sealedShape = z.object({ answer: z.base64url() });

function sealStorage<Answer>(
  plain: Storage<Answer>,
  sealer: Sealer,
  { scope, operation, key }: KeyedRequest,
): Storage<Answer> {
  const purpose = `answer ${scope} ${operation} ${key}`;
  return {
    ...plain,
    async toBytes(answer) {
      const bytes = await plain.toBytes(answer);
      return Buffer.from(await sealer.seal(purpose, { answer: bytes.toString('base64url') }));
    },
    async fromBytes(em, bytes) {
      const opened = await sealer.open(purpose, bytes.toString(), sealedShape);
      if (!opened) throw new Error(`A stored answer of ${operation} was sealed under a key that no longer exists.`);
      return plain.fromBytes(em, Buffer.from(opened.answer, 'base64url'));
    },
  };
}
