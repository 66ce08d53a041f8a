import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceTokens, privateKeySchema, type KeyHolder } from '@saleschannel/auth';
import { createAuthority, issueCertificate, type TlsCertificate } from '@saleschannel/auth/pki';
import { silentLogger, type Logger } from '@saleschannel/runtime';
import { identityVariables } from '@saleschannel/testing';
import { createTls, type Credentials, type Tls, type TlsFiles } from '../../src/index.ts';

/** Short enough that tests need not wait for changed files. */
const RELOAD_MS = 5;

/** The TLS files of some programs, in a folder of their own. */
export interface TlsFolder {
  readonly authority: TlsCertificate;
  listFiles(name: string): TlsFiles;
  /** Writes the files of a name. The default authority is the folder's own. */
  write(name: string, issued: TlsCertificate, authorities?: string): void;
  issue(program: string, options?: { days?: number; now?: Date }): Promise<TlsCertificate>;
  /** Creates files under a name, with a certificate of that name. */
  createTls(name: string, logger?: Logger): Promise<Tls>;
  remove(): void;
}

export async function createTlsFolder(): Promise<TlsFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const authority = await createAuthority('tests');
  const tlsFolder: TlsFolder = {
    authority,
    listFiles: (name) => ({
      certificate: join(folder, `${name}.crt`),
      privateKey: join(folder, `${name}.key`),
      authorities: join(folder, `${name}.ca`),
    }),
    write(name, issued, authorities = authority.certificate) {
      const files = tlsFolder.listFiles(name);
      writeFileSync(files.certificate, issued.certificate);
      writeFileSync(files.privateKey, issued.privateKey);
      writeFileSync(files.authorities, authorities);
    },
    issue: (program, options = {}) => issueCertificate(authority, { program, ...options }),
    async createTls(name, logger = silentLogger) {
      tlsFolder.write(name, await tlsFolder.issue(name));
      return createTls(tlsFolder.listFiles(name), logger, RELOAD_MS);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
  return tlsFolder;
}

/** Credentials of a program: tokens of its own key, and this certificate. */
export async function createCredentials(program: KeyHolder, tls: Tls | undefined): Promise<Credentials> {
  const key = privateKeySchema.parse(JSON.parse(identityVariables(program)['SERVICE_PRIVATE_KEY'] ?? ''));
  const tokens = await createServiceTokens(program, key);
  return { getToken: (receiver) => tokens.getToken(receiver), tls };
}
