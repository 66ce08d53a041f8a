import { generateServiceKeys } from '@saleschannel/auth';

const keys = await generateServiceKeys(['inventory']);

/** The identity that a service asks for at its start, for a migration that talks to nobody. */
export const serviceKeys = {
  SERVICE_PRIVATE_KEY: JSON.stringify(keys.privateKeys['inventory']),
  SERVICE_PUBLIC_KEYS: JSON.stringify(keys.publicKeys),
};
