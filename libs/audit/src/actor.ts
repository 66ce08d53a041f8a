import { actor, type Actor } from '@saleschannel/contracts';
import type { Call } from '@saleschannel/grpc';

/** The trail of what the registry does and what is done to it. */
export const REGISTRY_SCOPE = 'registry';
/** The trail of what belongs to no sales channel and not to the registry. Only the operator reads it. */
export const INSTALLATION_SCOPE = 'installation';
/**
 * The trail of sign-ins and ended sessions. Only the operator reads it. It is apart from the others because an event
 * there makes gateways ask for all API keys of its scope again.
 */
export const SESSIONS_SCOPE = 'sessions';
/** Trails that only the operator reads: with the names and addresses of everybody. */
const operatorScopes: readonly string[] = [INSTALLATION_SCOPE, SESSIONS_SCOPE];

type Caller = Pick<Call, 'caller' | 'principal' | 'clientAddress' | 'requestId'> & Partial<Pick<Call, 'operator'>>;

/** Who makes a call: a user or a registry key where the call has a principal, the operator, or a service by itself. */
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

/** A service that does something by itself. */
export const serviceActor = (service: string): Actor => ({ kind: 'service', id: service });

/**
 * The actor that a calling service tells. Without one, it is that service itself.
 * @throws z.ZodError for what is no actor
 */
export const actorTold = (told: unknown, { caller }: Pick<Call, 'caller'>): Actor =>
  told === undefined || told === null ? serviceActor(caller) : actor.parse(told);

/** Where acts of this actor are recorded that concern nobody but the actor. */
export const scopeOf = ({ salesChannelId, kind }: Actor): string =>
  salesChannelId ?? (kind === 'registry-key' ? REGISTRY_SCOPE : INSTALLATION_SCOPE);

/**
 * What readers of a scope learn of an actor. Those of another house learn that it acted, not which of its people or
 * keys, nor from which address.
 */
export function actorFor(scope: string, actor: Actor): Actor {
  if (operatorScopes.includes(scope) || actor.kind === 'service') return actor;
  if (actor.kind === 'operator') return { kind: actor.kind, ...(actor.requestId && { requestId: actor.requestId }) };
  const { salesChannelId, accountHolderId } = actor;
  const isOwn = scope === REGISTRY_SCOPE ? accountHolderId !== undefined : salesChannelId === scope;
  if (isOwn) return actor;
  return { kind: actor.kind, ...(salesChannelId !== undefined && { salesChannelId }) };
}
