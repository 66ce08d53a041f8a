import { query, type EntityManager } from '@saleschannel/database';

export interface PartyKey {
  salesChannelId: string;
  traderId: string;
}

export interface OnboardingKey {
  salesChannelId: string;
  accountHolderId: string;
}

/** A trader as other services know it. */
export interface PartyRow extends PartyKey {
  accountHolderId: string | null;
}

const columns =
  'trader.sales_channel_id as "salesChannelId", trader.id as "traderId", trader.account_holder_id as "accountHolderId"';

/** Those of the keys that are traders of their channels. One statement, one index look-up for each. */
export const findParties = (em: EntityManager, keys: PartyKey[]): Promise<PartyRow[]> =>
  query(
    em,
    `select ${columns} from jsonb_to_recordset(?::jsonb) as wanted("salesChannelId" text, "traderId" text)
     join trader on trader.id = wanted."traderId" and trader.sales_channel_id = wanted."salesChannelId"`,
    [JSON.stringify(keys)],
  );

export const findOnboarded = (em: EntityManager, keys: OnboardingKey[]): Promise<PartyRow[]> =>
  query(
    em,
    `select ${columns} from jsonb_to_recordset(?::jsonb) as wanted("salesChannelId" text, "accountHolderId" text)
     join trader on trader.sales_channel_id = wanted."salesChannelId" and trader.account_holder_id = wanted."accountHolderId"`,
    [JSON.stringify(keys)],
  );
