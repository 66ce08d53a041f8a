import { createAuthority, issueCertificate, type TlsCertificate } from '@saleschannel/auth/pki';
import { z } from 'zod';
import { keyHolders } from './services.ts';

/** By what programs know each other on the wire. */
export interface TlsSecrets {
  /** Vouches for the programs of this installation. Its key stays with the other secrets. */
  readonly authority: TlsCertificate;
  /** The certificates of authorities that programs believe, as PEM. */
  readonly trusted: string;
  /** While the authority is exchanged: the one that takes over, once everybody believes it. */
  readonly nextAuthority?: TlsCertificate | undefined;
  /** By program. */
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

/** Keeps what is known. Programs that are new get a certificate. */
export async function completeTls(known: TlsSecrets | undefined): Promise<TlsSecrets> {
  const authority = known?.authority ?? (await createAuthority(NAME));
  const missing = keyHolders.filter((program) => known?.programs[program] === undefined);
  return {
    trusted: authority.certificate,
    ...known,
    authority,
    programs: { ...known?.programs, ...(await issueTo(missing, authority)) },
  };
}

/** New certificates of all programs, by the authority that they have. */
export const renewTls = async (tls: TlsSecrets): Promise<TlsSecrets> => ({
  ...tls,
  programs: await issueTo(keyHolders, tls.authority),
});

const refused = (why: string): Error => new Error(`The TLS authority cannot be rotated with this step: ${why}`);

/**
 * The exchange of the authority in three steps. Everybody takes each step before the next one is made.
 * @throws Error for a step that is not the next one
 */
export const tlsAuthorityRotation = {
  /** All believe the new authority too. It vouches for nobody yet. */
  async prepare(tls: TlsSecrets): Promise<TlsSecrets> {
    if (tls.nextAuthority) throw refused('a new one is already prepared, so "switch" is next.');
    if (tls.trusted !== tls.authority.certificate) throw refused('the old one is still trusted, so "finish" is next.');
    const nextAuthority = await createAuthority(NAME);
    return { ...tls, trusted: `${tls.trusted}${nextAuthority.certificate}`, nextAuthority };
  },
  /** The new authority vouches for all. The old one is still believed. */
  async switch({ trusted, nextAuthority }: TlsSecrets): Promise<TlsSecrets> {
    if (!nextAuthority) throw refused('no new one is prepared, and "prepare" comes first.');
    return { authority: nextAuthority, trusted, programs: await issueTo(keyHolders, nextAuthority) };
  },
  /** Only the new authority is believed. */
  async finish({ authority, nextAuthority, programs }: TlsSecrets): Promise<TlsSecrets> {
    if (nextAuthority) throw refused('the new one has not issued certificates yet, so "switch" is next.');
    return { authority, trusted: authority.certificate, programs };
  },
} as const;

/** The files of TLS, by the last part of their names: those that cert-manager uses. */
export const tlsFiles = ['tls.crt', 'tls.key', 'ca.crt'] as const;
export type TlsFile = (typeof tlsFiles)[number];

/** What a program's files of TLS hold. @throws Error for a program without a certificate */
export function tlsFilesOf(program: string, { trusted, programs }: TlsSecrets): Record<TlsFile, string> {
  const issued = programs[program];
  if (!issued) throw new Error(`The secrets have no TLS certificate of ${program}. Complete them first.`);
  return { 'tls.crt': issued.certificate, 'tls.key': issued.privateKey, 'ca.crt': trusted };
}
