import { isIntegrationEventType } from '@saleschannel/contracts';
import { NAMESPACE } from './roles.ts';
import type { KnownSecrets } from './secrets.ts';
import { programNames } from './services.ts';

/** Queues with this prefix belong to the listener, so it must not be a prefix of other names. */
const NAME = /^[a-z][a-z0-9-]{1,40}$/;
const reserved: ReadonlySet<string> = new Set([...programNames, NAMESPACE, 'amq', 'guest']);

/**
 * Gives an external program access to events on the broker. An existing listener keeps its password.
 * @param listener its name and its event types: `billing=inventory.transaction.status-changed.v1,…`
 * @throws Error for a name that is taken or malformed, and for unknown event types
 */
export function addListener(known: KnownSecrets, listener: string): KnownSecrets {
  const [name = '', list = ''] = listener.split('=');
  if (!NAME.test(name) || reserved.has(name)) throw new Error(`"${name}" cannot be the name of a listener.`);
  const events = list.split(',').filter(Boolean);
  const unknown = events.filter((event) => !isIntegrationEventType(event));
  if (events.length === 0 || unknown.length > 0)
    throw new Error(
      `${name} must name events of docs/integrate/asyncapi.yaml${unknown.map((event) => `, not ${event}`).join('')}`,
    );
  return {
    ...known,
    brokerListeners: { ...known.brokerListeners, [name]: events.filter(isIntegrationEventType) },
  };
}

/** @throws Error if there is no listener of that name */
export function removeListener(known: KnownSecrets, name: string): KnownSecrets {
  const { [name]: removed, ...brokerListeners } = known.brokerListeners ?? {};
  if (!removed) throw new Error(`There is no listener "${name}".`);
  const { [name]: _password, ...brokerPasswords } = known.brokerPasswords ?? {};
  const { [name]: _salt, ...brokerSalts } = known.brokerSalts ?? {};
  return { ...known, brokerListeners, brokerPasswords, brokerSalts };
}
