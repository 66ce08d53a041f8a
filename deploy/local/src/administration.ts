import { createAdministration, createPowers, type Administration, type Powers } from '@saleschannel/admin';
import { createCredentials, tlsEnvironment } from '@saleschannel/grpc';
import {
  ADMIN,
  addressOf,
  AUDITOR,
  privateKeyOf,
  tlsVariablesOf,
  variablesOf,
  type Place,
} from '@saleschannel/installation';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

interface System {
  readonly place: Pick<Place, 'host' | 'ports' | 'secrets' | 'tlsFileOf'>;
}

const connectionTo = async ({ place }: System) => ({
  addresses: {
    identity: addressOf('identity', place),
    rbac: addressOf('rbac', place),
    registryImport: addressOf('registry-import', place),
  },
  tokens: await createCredentials(
    ADMIN,
    {
      SERVICE_PRIVATE_KEY: privateKeyOf(ADMIN, place.secrets),
      ...readEnvironment(tlsEnvironment, tlsVariablesOf(ADMIN, place)),
    },
    silentLogger,
  ),
});

/** The administration of a running system, as the admin command has it. */
export const administrationOf = async (system: System): Promise<Administration> =>
  createAdministration(await connectionTo(system));

/** What an operator of a running system may see and take away. */
export const powersOf = async (system: System): Promise<Powers> => createPowers(await connectionTo(system));

/** Writes what a command needs to reach the system. */
function writeEnvironment(program: typeof ADMIN | typeof AUDITOR, place: Place, file: string): void {
  const lines = Object.entries(variablesOf(program, place)).map(([name, value]) => `${name}='${value}'\n`);
  writePrivateFile(file, lines.join(''));
}

/** What the commands `admin` and `audit` find in the folder of a running stack. */
export function writeCommandEnvironments({ place }: { place: Place }, folder: string): void {
  writeEnvironment(ADMIN, place, join(folder, 'admin.env'));
  writeEnvironment(AUDITOR, { ...place, settings: { AUDIT_QUIET_SECONDS: '5' } }, join(folder, 'audit.env'));
}
