import type { DatabaseUrls } from './audit.ts';
import { databaseNames, type Result } from './domain/check.ts';

/**
 * The URLs of all databases.
 * @param template with `{service}` where the name of a service stands
 * @param authorities the file with the CAs that vouch for the server
 */
export function urlsOf(template: string, authorities?: string): DatabaseUrls {
  if (!template.includes('{service}'))
    throw new Error('AUDIT_DATABASE_URL must contain {service} in place of the name of a service.');
  const urls = databaseNames.map((name) => [
    name,
    trusting(template.replaceAll('{service}', name.replaceAll('-', '_')), authorities),
  ]);
  return Object.fromEntries(urls) as DatabaseUrls;
}

/** As libpq names the CAs of a server. */
function trusting(url: string, authorities: string | undefined): string {
  if (authorities === undefined) return url;
  const address = new URL(url);
  address.searchParams.set('sslrootcert', authorities);
  return address.href;
}

/** How a check ended, for people. */
export function linesOf({ name, about, rows, count, findings }: Result): string[] {
  if (count === 0) return [`ok    ${name}: ${rows} rows`];
  const named = findings.map(({ id, detail }) => `        ${id}: ${detail}`);
  const more = count > findings.length ? [`        and ${count - findings.length} more`] : [];
  return [`FOUND ${name}: ${count} of ${rows} rows. ${about}:`, ...named, ...more];
}
