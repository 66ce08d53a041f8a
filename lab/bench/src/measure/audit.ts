import { audit, formatResult, toDatabaseUrls, type DatabaseUrls } from '@saleschannel/auditor';
import { AUDITOR, type LocalInstallation } from '@saleschannel/installation';

/** The last trades may not be in the event log yet. */
const QUIET_SECONDS = 15;

/**
 * Audits the databases after the load: no certificate lost or doubled, no event or task missing, no dead letter.
 * @param servers database servers by service, if services have their own
 * @throws Error with the findings
 */
export async function auditSystem(
  { auditUrl, brokerUrlOf, namespace }: LocalInstallation,
  servers?: Readonly<Record<string, string>>,
): Promise<string> {
  const broker = { url: brokerUrlOf(AUDITOR), namespace };
  const urls = Object.fromEntries(
    Object.entries(toDatabaseUrls(auditUrl)).map(([service, url]) => [service, movedTo(servers?.[service], url)]),
  ) as DatabaseUrls;
  const results = await audit(urls, { quietSeconds: QUIET_SECONDS, broker });
  const found = results.filter(({ count }) => count > 0);
  if (found.length > 0) throw new Error(found.flatMap(formatResult).join('\n'));
  const rows = results.reduce((sum, result) => sum + result.rows, 0);
  return `audit: ${results.length} checks of ${rows} rows without findings`;
}

/** The same database and role on another server. */
function movedTo(server: string | undefined, url: string): string {
  if (server === undefined) return url;
  const moved = new URL(url);
  moved.host = new URL(server).host;
  return moved.href;
}
