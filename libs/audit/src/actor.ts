import { actor, type Actor } from '@saleschannel/contracts';
import type { Call } from '@saleschannel/grpc';

/** Trail of acts by the registry and on its records. */
export const REGISTRY_SCOPE = 'registry';
/** Trail of acts outside of sales channels and the registry. Only operators read it. */
export const INSTALLATION_SCOPE = 'installation';
/**
 * Trail of sign-ins and ended sessions. Only operators read it. Separate from the others, because an event there makes
 * gateways reload all API keys of its scope.
 */
export const SESSIONS_SCOPE = 'sessions';
/** Trails that only operators read, with all names and addresses. */
const operatorScopes: readonly string[] = [INSTALLATION_SCOPE, SESSIONS_SCOPE];

type Caller = Pick<Call, 'caller' | 'principal' | 'clientAddress' | 'requestId'> & Partial<Pick<Call, 'operator'>>;

/**
 * Returns the actor of a call: a user or registry key if the call has a principal, otherwise the operator or the
 * calling service.
 */
export function actorOf({ caller, operator: id, principal, clientAddress: address, requestId }: Caller): Actor {
  const request = { ...(address && { address }), ...(requestId && { requestId }) };
  if (principal?.kind === 'registry') {
    const { keyId, accountHolderId } = principal;
    return { kind: 'registry-key', keyId, accountHolderId, ...request };
  }
  if (principal) {
    const { userId: id, keyId, salesChannelId, accountHolderId } = principal;
    const belongings = { ...(salesChannelId && { salesChannelId }), ...(accountHolderId && { accountHolderId }) };
    return { kind: 'user', id, ...(keyId && { keyId }), ...belongings, ...request };
  }
  return caller === 'admin' ? { kind: 'operator', ...(id && { id }), ...request } : serviceActor(caller);
}

/** Returns a service as the actor of its own acts. */
export const serviceActor = (service: string): Actor => ({ kind: 'service', id: service });

/**
 * Parses the actor that a calling service names. Without one, that service itself is the actor.
 * @throws z.ZodError for an invalid actor
 */
export const parseActor = (named: unknown, { caller }: Pick<Call, 'caller'>): Actor =>
  named === undefined || named === null ? serviceActor(caller) : actor.parse(named);

/** Returns the scope of acts that concern only this actor. */
export const scopeOf = ({ salesChannelId, kind }: Actor): string =>
  salesChannelId ?? (kind === 'registry-key' ? REGISTRY_SCOPE : INSTALLATION_SCOPE);

/**
 * Reduces an actor to the members that readers of a scope may see. Readers of another organization learn that the
 * actor's organization acted, but not by which person or key, nor from which address.
 */
export function reduceActor(scope: string, actor: Actor): Actor {
  if (operatorScopes.includes(scope) || actor.kind === 'service') return actor;
  if (actor.kind === 'operator') return { kind: actor.kind, ...(actor.requestId && { requestId: actor.requestId }) };
  const { salesChannelId, accountHolderId } = actor;
  const isOwn = scope === REGISTRY_SCOPE ? accountHolderId !== undefined : salesChannelId === scope;
  if (isOwn) return actor;
  return { kind: actor.kind, ...(salesChannelId !== undefined && { salesChannelId }) };
}
