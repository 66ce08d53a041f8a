import { createReconciliation, type Reconciliation } from '@saleschannel/admin';
import {
  createAdministration,
  createPowers,
  type Administration,
  type Powers,
} from '@saleschannel/edge/administration';
import type { KeyHolder } from '@saleschannel/auth';
import { createCredentials, tlsEnvironment, type Credentials } from '@saleschannel/grpc';
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
import { BROKER_INSIDE } from './servers.ts';

interface System {
  readonly place: Pick<Place, 'host' | 'ports' | 'secrets' | 'tlsFileOf'>;
}

/** What a program of a running system shows to others: its token, and its certificate where there is TLS. */
export const connectAs = (program: KeyHolder, { place }: System): Promise<Credentials> =>
  createCredentials(
    program,
    {
      SERVICE_PRIVATE_KEY: privateKeyOf(program, place.secrets),
      ...readEnvironment(tlsEnvironment, tlsVariablesOf(program, place)),
    },
    silentLogger,
  );

const connectionTo = async (system: System) => ({
  addresses: {
    identity: addressOf('identity', system.place),
    rbac: addressOf('rbac', system.place),
    registryImport: addressOf('registry-import', system.place),
  },
  tokens: await connectAs(ADMIN, system),
});

/** The administration of a running system, as the admin command has it. */
export const administrationOf = async (system: System): Promise<Administration> =>
  createAdministration(await connectionTo(system));

/** What an operator of a running system may see and take away. */
export const powersOf = async (system: System): Promise<Powers> => createPowers(await connectionTo(system));

/** The comparison of a running system's ledger with those who apply its changes. */
export const reconciliationOf = async (system: System): Promise<Reconciliation> =>
  createReconciliation({ address: addressOf('inventory', system.place), tokens: await connectAs(ADMIN, system) });

/** Writes what a command needs to reach the system. A broker inside another process cannot be reached. */
function writeEnvironment(program: typeof ADMIN | typeof AUDITOR, place: Place, file: string): void {
  const variables = Object.entries(variablesOf(program, place)).filter(([, value]) => value !== BROKER_INSIDE);
  const lines = variables.map(([name, value]) => `${name}='${value}'\n`);
  writePrivateFile(file, lines.join(''));
}

/** What the commands `admin` and `audit` find in the folder of a running stack. */
export function writeCommandEnvironments({ place }: { place: Place }, folder: string): void {
  writeEnvironment(ADMIN, place, join(folder, 'admin.env'));
  writeEnvironment(AUDITOR, { ...place, settings: { AUDIT_QUIET_SECONDS: '5' } }, join(folder, 'audit.env'));
}
