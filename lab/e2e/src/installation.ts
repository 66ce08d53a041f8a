import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseNames } from '@saleschannel/auditor';
import {
  grpcServices,
  type LocalInstallation,
  type ProgramName,
  type Secrets,
  type ServiceName,
} from '@saleschannel/installation';
import { docsSettings, writeTlsFiles } from '@saleschannel/local';
import { findFreePort } from '@saleschannel/local-backends';
import { toOwnerUrl, toRuntimeUrl, testNamespace } from '@saleschannel/testing';
import { type Databases, HOST, type CleanupStack } from './services.ts';

/** Limit that no test reaches. */
const PLENTY = '1000000';

const settingsFor = (issuer: string): Record<string, string> => ({
  OIDC_ISSUER: issuer,
  ...docsSettings(issuer),
  RATE_LIMIT_PER_SECOND: PLENTY,
  RATE_LIMIT_BURST: PLENTY,
  CHANNEL_RATE_LIMIT_PER_SECOND: PLENTY,
  CHANNEL_RATE_LIMIT_BURST: PLENTY,
  FAILED_LOGINS_PER_MINUTE: PLENTY,
  FAILED_LOGINS_PER_KEY_ID_PER_MINUTE: PLENTY,
  // There is no load balancer, and each test file waits for the shutdown.
  DRAIN_SECONDS: '0',
  // Receivers of tests listen on this machine.
  WEBHOOK_PRIVATE_TARGETS: 'allowed',
});

/** Writes certificates of all programs into a private folder. */
function writeCertificates(secrets: Secrets, stops: CleanupStack): LocalInstallation['tlsFileOf'] {
  const folder = mkdtempSync(join(tmpdir(), 'system-'));
  stops.push(() => Promise.resolve(rmSync(folder, { recursive: true })));
  return writeTlsFiles({ folder, secrets });
}

interface PlaceOptions {
  readonly databases: Databases;
  readonly brokerUrl: string;
  readonly issuer: string;
  readonly secrets: Secrets;
  readonly tls: boolean;
  /** Settings that replace the default ones. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Collects everything that the variables of the services depend on. */
export async function createPlace(options: PlaceOptions, stops: CleanupStack): Promise<LocalInstallation> {
  const { databases, brokerUrl, issuer, secrets, tls, variables } = options;
  const ports: Partial<Record<ServiceName, number>> = { gateway: 0 };
  for (const service of grpcServices) ports[service] = await findFreePort();
  const findUrl = (program: ProgramName): string => {
    const name = databaseNames.find((each) => each === program);
    if (!name) throw new Error(`${program} has no database.`);
    return databases[name].url;
  };
  return {
    host: HOST,
    ports,
    namespace: testNamespace(),
    secrets,
    databaseUrlOf: (program) => toRuntimeUrl(findUrl(program)),
    migrationUrlOf: (program) => toOwnerUrl(findUrl(program)),
    auditUrl: 'postgres://unused/{service}',
    brokerUrlOf: () => brokerUrl,
    tlsFileOf: tls ? writeCertificates(secrets, stops) : undefined,
    settings: { ...settingsFor(issuer), ...variables },
  };
}
