import { audit, linesOf, urlsOf } from '@saleschannel/auditor';
import { AUDITOR, type Place } from '@saleschannel/installation';

/** The last trades may still be on their way to the event log. */
const QUIET_SECONDS = 15;

/**
 * Compares the databases with each other after the load: no certificate lost or doubled, no event and no task missing,
 * no message given up.
 * @throws Error that names what does not add up
 */
export async function auditAfterwards({ auditUrl, brokerUrlOf, namespace }: Place): Promise<string> {
  const broker = { url: brokerUrlOf(AUDITOR), namespace };
  const results = await audit(urlsOf(auditUrl), { quietSeconds: QUIET_SECONDS, broker });
  const found = results.filter(({ count }) => count > 0);
  if (found.length > 0) throw new Error(found.flatMap(linesOf).join('\n'));
  const rows = results.reduce((sum, result) => sum + result.rows, 0);
  return `audit: ${results.length} checks of ${rows} rows found nothing`;
}
