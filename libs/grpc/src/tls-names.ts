import type { PeerCertificate } from 'node:tls';

/** SPIFFE: a program is the last part of its id, as in `spiffe://cluster.local/ns/saleschannel/sa/inventory`. */
const SPIFFE = /^spiffe:\/\/[^/]+\/(?:.*\/)?([^/]+)$/;

/**
 * The programs that a certificate names: its DNS names, and its SPIFFE ids. The common name counts for nothing. The
 * authority that has vouched for it is the installation's own, so that these names are what that one says they are.
 */
export function namesIn({ subjectaltname = '' }: Pick<PeerCertificate, 'subjectaltname'>): ReadonlySet<string> {
  // Node quotes what could be taken for more than one name. No program has such a name.
  if (subjectaltname.includes('"')) return new Set();
  return new Set(
    subjectaltname.split(', ').flatMap((entry) => {
      const [, kind, value = ''] = /^(DNS|URI):(.*)$/.exec(entry) ?? [];
      if (kind === 'DNS') return [value];
      return SPIFFE.exec(value)?.[1] ?? [];
    }),
  );
}
