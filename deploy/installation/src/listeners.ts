import { isIntegrationEventType } from '@saleschannel/contracts';
import { NAMESPACE } from './roles.ts';
import type { KnownSecrets } from './secrets.ts';
import { programNames } from './services.ts';

/** What begins with it belongs to the listener, so it must not be what names of others begin with. */
const NAME = /^[a-z][a-z0-9-]{1,40}$/;
const taken: ReadonlySet<string> = new Set([...programNames, NAMESPACE, 'amq', 'guest']);

/**
 * Lets a program of others listen on the broker. One that listens already hears these events from now on, and keeps
 * its password.
 * @param listener its name and the events that it may hear: `billing=inventory.transaction.status-changed.v1,…`
 * @throws Error for a name that is taken or has the wrong form, and for events that there are not
 */
export function addListener(known: KnownSecrets, listener: string): KnownSecrets {
  const [name = '', list = ''] = listener.split('=');
  if (!NAME.test(name) || taken.has(name)) throw new Error(`"${name}" cannot be the name of a listener.`);
  const events = list.split(',').filter(Boolean);
  const unknown = events.filter((event) => !isIntegrationEventType(event));
  if (events.length === 0 || unknown.length > 0)
    throw new Error(
      `${name} must name events of docs/asyncapi.yaml${unknown.map((event) => `, not ${event}`).join('')}`,
    );
  return {
    ...known,
    brokerListeners: { ...known.brokerListeners, [name]: events.filter(isIntegrationEventType) },
  };
}

/** @throws Error where nobody of that name listens */
export function removeListener(known: KnownSecrets, name: string): KnownSecrets {
  const { [name]: removed, ...brokerListeners } = known.brokerListeners ?? {};
  if (!removed) throw new Error(`There is no listener "${name}".`);
  const { [name]: _password, ...brokerPasswords } = known.brokerPasswords ?? {};
  const { [name]: _salt, ...brokerSalts } = known.brokerSalts ?? {};
  return { ...known, brokerListeners, brokerPasswords, brokerSalts };
}
