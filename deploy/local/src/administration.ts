import { join } from 'node:path';
import { createReconciliation, type Reconciliation } from '@saleschannel/admin';
import type { KeyHolder } from '@saleschannel/auth';
import {
  createAdministration,
  createOperatorClients,
  type Administration,
  type OperatorClients,
} from '@saleschannel/edge/administration';
import { createCredentials, tlsEnvironment, type Credentials } from '@saleschannel/grpc';
import {
  ADMIN,
  addressOf,
  AUDITOR,
  privateKeyOf,
  toTlsVariables,
  variablesOf,
  type LocalInstallation,
} from '@saleschannel/installation';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import { writePrivateFile } from './files.ts';
import { IN_PROCESS_BROKER } from './servers.ts';

interface System {
  readonly place: Pick<LocalInstallation, 'host' | 'ports' | 'secrets' | 'tlsFileOf'>;
}

/** Credentials of a program in a running system: its token, and its certificate if TLS is on. */
export const createProgramCredentials = (program: KeyHolder, { place }: System): Promise<Credentials> =>
  createCredentials(
    program,
    {
      SERVICE_PRIVATE_KEY: privateKeyOf(program, place.secrets),
      ...readEnvironment(tlsEnvironment, toTlsVariables(program, place)),
    },
    silentLogger,
  );

const connectionTo = async (system: System) => ({
  addresses: {
    identity: addressOf('identity', system.place),
    rbac: addressOf('rbac', system.place),
    registryImport: addressOf('registry-import', system.place),
  },
  tokens: await createProgramCredentials(ADMIN, system),
});

/** Administration of a running system, as in the admin command. */
export const connectAdministration = async (system: System): Promise<Administration> =>
  createAdministration(await connectionTo(system));

/** Powers of an operator of a running system. */
export const connectPowers = async (system: System): Promise<OperatorClients> =>
  createOperatorClients(await connectionTo(system));

/** Reconciliation of a running system. */
export const connectReconciliation = async (system: System): Promise<Reconciliation> =>
  createReconciliation({
    address: addressOf('inventory', system.place),
    tokens: await createProgramCredentials(ADMIN, system),
  });

/** Writes the variables with which a command reaches the system. It cannot reach a broker inside a process. */
function writeEnvironment(program: typeof ADMIN | typeof AUDITOR, place: LocalInstallation, file: string): void {
  const variables = Object.entries(variablesOf(program, place)).filter(([, value]) => value !== IN_PROCESS_BROKER);
  const lines = variables.map(([name, value]) => `${name}='${value}'\n`);
  writePrivateFile(file, lines.join(''));
}

/** Writes the variables of the commands `admin` and `audit` to the folder of a running stack. */
export function writeCommandEnvironments({ place }: { place: LocalInstallation }, folder: string): void {
  writeEnvironment(ADMIN, place, join(folder, 'admin.env'));
  writeEnvironment(AUDITOR, { ...place, settings: { AUDIT_QUIET_SECONDS: '5' } }, join(folder, 'audit.env'));
}
