import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  AUDIENCE,
  grpcServices,
  NAMESPACE,
  programNames,
  variablesReadBy,
  type Place,
  type ProgramName,
  type Secrets,
  type ServiceName,
} from '@saleschannel/installation';
import { freePort } from '@saleschannel/local-backends';
import { writePrivateJson } from './private-file.ts';

export const HOST = '127.0.0.1';

export interface PlaceOptions {
  readonly folder: string;
  readonly gatewayPort: number;
  readonly idpPort: number;
  readonly secrets: Secrets;
  readonly databaseUrls: Readonly<Record<string, string>>;
  /** They come before those of the environment. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Everything that the variables of the stack's programs are made of, except the broker. */
export async function prepareLocalPlace(options: PlaceOptions): Promise<Omit<Place, 'brokerUrlOf'>> {
  const { gatewayPort, idpPort, secrets, databaseUrls } = options;
  const ports: Partial<Record<ServiceName, number>> = { gateway: gatewayPort, 'dev-idp': idpPort };
  for (const service of grpcServices) ports[service] = await freePort();
  return {
    host: HOST,
    ports,
    namespace: NAMESPACE,
    secrets,
    databaseUrlOf: (program: ProgramName) => {
      const url = databaseUrls[program];
      if (url === undefined) throw new Error(`${program} has no database`);
      return url;
    },
    settings: { ...settingsOfEnvironment(), ...identityProvider(options), ...options.variables },
  };
}

/** The file with the development identity provider's clients, which reads it again when it changes. */
export const clientsFileOf = (folder: string): string => join(folder, 'idp-clients.json');

export const issuerOf = (idpPort: number): string => `http://${HOST}:${idpPort}`;

function identityProvider({ folder, gatewayPort, idpPort }: PlaceOptions): Record<string, string> {
  const clientsFile = clientsFileOf(folder);
  if (!existsSync(clientsFile)) writePrivateJson(clientsFile, []);
  return {
    OIDC_ISSUER: issuerOf(idpPort),
    OIDC_AUDIENCE: AUDIENCE,
    IDP_ISSUER: issuerOf(idpPort),
    IDP_AUDIENCE: AUDIENCE,
    IDP_CLIENTS_FILE: clientsFile,
    IDP_KEYS_FILE: join(folder, 'idp-keys.json'),
    IDP_DOCS_REDIRECT_URIS: `http://${HOST}:${gatewayPort}/docs/oauth2-redirect.html,http://127.0.0.1/callback`,
  };
}

/** Settings that are set where the stack is started. Access tokens are always those of its own provider. */
function settingsOfEnvironment(): Record<string, string | undefined> {
  const names = programNames.flatMap(variablesReadBy).flatMap(({ name, source }) => {
    const isSetting = source.kind === 'setting' || source.kind === 'own-default';
    return isSetting && !name.startsWith('OIDC_') ? [name] : [];
  });
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}
