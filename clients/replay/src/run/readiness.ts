import { z } from 'zod';
import { Api } from '../api/client.ts';
import { Refused } from '../api/faults.ts';
import { UnusableDemo, type Setting } from '../demo.ts';

const NEEDED_ROLES = ['ASSET_VIEWER', 'ASSET_OFFRAMPER', 'TRANSACTION_ADMINISTRATOR'];
/** A stack that is not running is reported at once, not after the time that a restart may take. */
const FIRST_ANSWER_WITHIN_MS = 5_000;

const bindingSchema = z.object({ salesChannelId: z.string(), roles: z.array(z.string()) });

/**
 * Checks that the stack answers, and that the user of the demo file may do all that a replay does.
 * @throws UnusableDemo, Unreachable
 */
export async function assertReady(
  { baseUrl, userKey, listing }: Setting,
  retryForMs = FIRST_ANSWER_WITHIN_MS,
): Promise<void> {
  const api = new Api({ baseUrl, key: userKey, retryForMs });
  try {
    const { salesChannelId, roles } = await api.get('/user-services/users/me/saleschannel-binding', bindingSchema);
    if (salesChannelId !== listing.salesChannelId) {
      throw new UnusableDemo('the first user is bound to another sales channel than the demo file says');
    }
    const missing = NEEDED_ROLES.filter((role) => !roles.includes(role));
    if (missing.length > 0) throw new UnusableDemo(`the first user of the sales channel lacks ${missing.join(', ')}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new UnusableDemo(`the API key of the demo file does not work here: ${error.message}`, { cause: error });
  } finally {
    await api.close();
  }
}
