import { globSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type KeyHolder, type Principal, keyHolders } from '@saleschannel/auth';
import type { ErrorCode } from '@saleschannel/errors';
import type { ReplyOf, RpcPath, SentTo, ServiceClient, ServiceKey } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import type { Form } from './forms.ts';

/** A message in which forms may replace values, and which leaves out everything irrelevant. */
export type Pattern<T> =
  | Form
  | T
  | (T extends Uint8Array
      ? never
      : T extends readonly (infer Element)[]
        ? readonly Pattern<Element>[]
        : T extends object
          ? { readonly [Name in keyof T]?: Pattern<T[Name]> | undefined }
          : never);

type Method<Path extends RpcPath> = Path extends `${infer K extends ServiceKey}.${infer Name}`
  ? Name extends keyof ServiceClient<K>
    ? ServiceClient<K>[Name]
    : never
  : never;

/** The parts of a reply that the consumer relies on, for one message or each message of a stream. */
type AnswerOf<Path extends RpcPath> =
  Method<Path> extends (...args: never[]) => AsyncIterable<unknown>
    ? Form | readonly Pattern<ReplyOf<Path>>[]
    : Pattern<ReplyOf<Path>>;

/** The request of the consumer: one message, or all messages of a stream. */
type AskedOf<Path extends RpcPath> =
  Parameters<Method<Path>>[0] extends AsyncIterable<unknown> ? readonly Pattern<SentTo<Path>>[] : Pattern<SentTo<Path>>;

type Values<Name extends string> = Readonly<Record<Name, string>>;

/** Claims of the principal on whose behalf the call is made. Its id does not matter. */
export type PrincipalClaims =
  | Partial<Omit<Extract<Principal, { kind: 'user' }>, 'kind'>>
  | { readonly kind: 'registry'; readonly accountHolderId: string; readonly keyId?: string };

interface Terms<Path extends RpcPath, Name extends string> {
  /** State of the provider, named as the provider's team names it. */
  readonly given: string;
  /** Example values of the state. Verification replaces them with the provider's own. */
  readonly values: Values<Name>;
  /** Principal of the call, none by default. A value `principalToken` is the token of this principal. */
  readonly as?: (values: NoInfer<Values<Name>>) => PrincipalClaims;
  readonly request: (values: NoInfer<Values<Name>>) => AskedOf<Path>;
}

interface Answered<Path extends RpcPath, Name extends string> extends Terms<Path, Name> {
  /** The parts of the reply that the consumer relies on. */
  readonly answer: (values: NoInfer<Values<Name>>) => AnswerOf<Path>;
}

interface Refused<Path extends RpcPath, Name extends string> extends Terms<Path, Name> {
  /** The error code that the consumer distinguishes from others. */
  readonly refusal: ErrorCode;
}

/** One call that the consumer makes, in one state of the provider. */
export interface Interaction {
  readonly rpc: RpcPath;
  readonly given: string;
  readonly values: Values<string>;
  readonly as: ((values: Values<string>) => PrincipalClaims) | undefined;
  readonly request: (values: Values<string>) => unknown;
  readonly answer: ((values: Values<string>) => unknown) | undefined;
  readonly refusal: ErrorCode | undefined;
}

/** Everything that one program relies on in another. */
export interface Contract {
  readonly consumer: KeyHolder;
  readonly provider: KeyHolder;
  readonly interactions: readonly Interaction[];
}

export function interaction<const Path extends RpcPath, const Name extends string>(
  rpc: Path,
  terms: Answered<Path, Name> | Refused<Path, Name>,
): Interaction {
  const { given, values, as, request } = terms;
  const answer = 'answer' in terms ? terms.answer : undefined;
  const refusal = 'refusal' in terms ? terms.refusal : undefined;
  return { rpc, given, values, as, request, answer, refusal };
}

/** gRPC service and RPC of an interaction. */
export function parseRpc({ rpc }: Interaction): { readonly key: ServiceKey; readonly name: string } {
  const [key, name] = rpc.split('.') as [ServiceKey, string];
  return { key, name };
}

/** Creates a principal with the claims that a contract names. */
export function createPrincipal(as: PrincipalClaims): Principal {
  if ('kind' in as) return { keyId: newId(), ...as };
  return { kind: 'user', userId: newId(), salesChannelId: undefined, roles: [], accountHolderId: undefined, ...as };
}

const apps = resolve(import.meta.dirname, '../../../../apps');

/** A contract and its program. Operators use several programs under one key. */
interface FoundContract extends Contract {
  readonly program: string;
}

const isKeyHolder = (program: string): boolean => (keyHolders as readonly string[]).includes(program);

/**
 * Finds the contracts of all consumers, or those with one provider. It searches files instead of importing them,
 * because a provider that imports its consumers would be affected by each of their changes.
 */
export async function readContracts(provider = '*'): Promise<FoundContract[]> {
  const files = globSync(`*/test/contracts/${provider}.ts`, { cwd: apps }).sort();
  return Promise.all(
    files.map(async (file) => {
      const { contract } = (await import(pathToFileURL(join(apps, file)).href)) as { contract: Contract };
      const program = file.slice(0, file.indexOf('/'));
      const isTheirs = contract.consumer === program || !isKeyHolder(program);
      if (!isTheirs || contract.provider !== basename(file, '.ts'))
        throw new Error(`apps/${file} is a contract of ${contract.consumer} with ${contract.provider}.`);
      return { ...contract, program };
    }),
  );
}
