import { createAuthority, issueCertificate, type TlsCertificate } from '@saleschannel/auth/pki';
import { z } from 'zod';
import { programsWithKey } from './services.ts';

/** Certificates of programs, for mutual TLS. */
export interface TlsSecrets {
  /** Issuer of the programs' certificates. Its key is kept with the other secrets. */
  readonly authority: TlsCertificate;
  /** Certificates of trusted authorities, as PEM. */
  readonly trusted: string;
  /** Next issuer during a rotation, once all programs trust it. */
  readonly nextAuthority?: TlsCertificate | undefined;
  /** Certificates by program. */
  readonly programs: Readonly<Record<string, TlsCertificate>>;
}

const certificate = z.object({ certificate: z.string(), privateKey: z.string() });

export const tlsSecretsSchema = z.object({
  authority: certificate,
  trusted: z.string(),
  nextAuthority: certificate.optional(),
  programs: z.record(z.string(), certificate),
});

const NAME = 'saleschannel';

async function issueTo(programs: readonly string[], authority: TlsCertificate): Promise<TlsSecrets['programs']> {
  const issued = await Promise.all(programs.map((program) => issueCertificate(authority, { program })));
  return Object.fromEntries(programs.map((program, index) => [program, issued[index] as TlsCertificate]));
}

/** Keeps existing certificates and issues those of new programs. */
export async function completeTls(known: TlsSecrets | undefined): Promise<TlsSecrets> {
  const authority = known?.authority ?? (await createAuthority(NAME));
  const missing = programsWithKey.filter((program) => known?.programs[program] === undefined);
  return {
    trusted: authority.certificate,
    ...known,
    authority,
    programs: { ...known?.programs, ...(await issueTo(missing, authority)) },
  };
}

/** Renews the certificates of all programs with the same authority. */
export const renewTls = async (tls: TlsSecrets): Promise<TlsSecrets> => ({
  ...tls,
  programs: await issueTo(programsWithKey, tls.authority),
});

const refused = (why: string): Error => new Error(`The TLS authority cannot be rotated with this step: ${why}`);

/**
 * Rotates the authority in three steps. Roll out each step before the next.
 * @throws Error for a step out of order
 */
export const tlsAuthorityRotation = {
  /** All programs also trust the new authority, which issues nothing yet. */
  async prepare(tls: TlsSecrets): Promise<TlsSecrets> {
    if (tls.nextAuthority) throw refused('a new one is already prepared, so "switch" is next.');
    if (tls.trusted !== tls.authority.certificate) throw refused('the old one is still trusted, so "finish" is next.');
    const nextAuthority = await createAuthority(NAME);
    return { ...tls, trusted: `${tls.trusted}${nextAuthority.certificate}`, nextAuthority };
  },
  /** The new authority issues all certificates. The old one is still trusted. */
  async switch({ trusted, nextAuthority }: TlsSecrets): Promise<TlsSecrets> {
    if (!nextAuthority) throw refused('no new one is prepared, and "prepare" comes first.');
    return { authority: nextAuthority, trusted, programs: await issueTo(programsWithKey, nextAuthority) };
  },
  /** Only the new authority is trusted. */
  async finish({ authority, nextAuthority, programs }: TlsSecrets): Promise<TlsSecrets> {
    if (nextAuthority) throw refused('the new one has not issued certificates yet, so "switch" is next.');
    return { authority, trusted: authority.certificate, programs };
  },
} as const;

/** Suffixes of TLS files, as cert-manager names them. */
export const tlsFiles = ['tls.crt', 'tls.key', 'ca.crt'] as const;
export type TlsFile = (typeof tlsFiles)[number];

/** Contents of a program's TLS files. @throws Error for a program without a certificate */
export function toTlsFiles(program: string, { trusted, programs }: TlsSecrets): Record<TlsFile, string> {
  const issued = programs[program];
  if (!issued) throw new Error(`The secrets have no TLS certificate of ${program}. Complete them first.`);
  return { 'tls.crt': issued.certificate, 'tls.key': issued.privateKey, 'ca.crt': trusted };
}
