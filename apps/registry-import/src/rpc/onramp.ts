import type { JsonDocument } from '@saleschannel/contracts/gen/inventory/v1/JsonDocument';
import type { OnrampRequest__Output } from '@saleschannel/contracts/gen/registry_import/v1/OnrampRequest';
import { invalidRequest, notFound, requestRefused } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { onboardedTraders, traderKey } from '../operations/onboarded-traders.ts';
import { NO_TRADER } from '../operations/prepare-issuances.ts';
import { findByIds } from '../store/account-holders.ts';

const ASSETS_AT_MOST = 1_000;

/** The ledger checks the selections. */
export const onramp =
  (context: Context) =>
  async ({ accountHolderId, salesChannelId, assets }: OnrampRequest__Output, call: Call): Promise<JsonDocument> => {
    if (assets.length < 1 || assets.length > ASSETS_AT_MOST) {
      const detail = `It must have 1 to ${ASSETS_AT_MOST} items.`;
      throw invalidRequest('The selection is not valid.', [{ pointer: '#/assets', code: 'length', detail }]);
    }
    const [holder] = await findByIds(context.database.em(), [accountHolderId]);
    if (!holder) throw notFound();
    const key = { accountHolderId, salesChannelId };
    const traderId = (await onboardedTraders(context, [key], { within: call })).get(traderKey(key));
    if (traderId === undefined) throw requestRefused(NO_TRADER.detail, [NO_TRADER]);
    return context.ledger.Onramp({ ...key, traderId, assets }, { within: call });
  };
