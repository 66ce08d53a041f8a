import type { DatabaseUrls } from './audit.ts';
import { databaseNames, type Result } from './domain/check.ts';

/**
 * Returns the URLs of all databases.
 * @param template with `{service}` in place of the name of a service
 * @param authorities file with the CA certificates to trust
 */
export function toDatabaseUrls(template: string, authorities?: string): DatabaseUrls {
  if (!template.includes('{service}'))
    throw new Error('AUDIT_DATABASE_URL must contain {service} in place of the name of a service.');
  const urls = databaseNames.map((name) => [
    name,
    addAuthorities(template.replaceAll('{service}', name.replaceAll('-', '_')), authorities),
  ]);
  return Object.fromEntries(urls) as DatabaseUrls;
}

/** Adds libpq's parameter for the CA certificates. */
function addAuthorities(url: string, authorities: string | undefined): string {
  if (authorities === undefined) return url;
  const address = new URL(url);
  address.searchParams.set('sslrootcert', authorities);
  return address.href;
}

/** Formats the result of a check for people. */
export function formatResult({ name, about, rows, count, findings }: Result): string[] {
  if (count === 0) return [`ok    ${name}: ${rows} rows`];
  const named = findings.map(({ id, detail }) => `        ${id}: ${detail}`);
  const more = count > findings.length ? [`        and ${count - findings.length} more`] : [];
  return [`FOUND ${name}: ${count} of ${rows} rows. ${about}:`, ...named, ...more];
}
