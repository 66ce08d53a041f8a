/** The roles a user may hold on a sales channel. */
export const roles = [
  'TRADERONBOARDERPROPOSAL_VIEWER',
  'TRADERONBOARDERPROPOSAL_ACCEPTER',
  'TRADER_ADMINISTRATOR',
  'TRADER_VIEWER',
  'ROLE_ADMINISTRATOR',
  'ASSET_VIEWER',
  'ASSET_OFFRAMPER',
  'TRANSACTION_ADMINISTRATOR',
  'PRODUCTIONFACILITY_VIEWER',
  'SUPPLIER_VIEWER',
  'EVENT_VIEWER',
] as const;

export type Role = (typeof roles)[number];

export const isRole = (text: unknown): text is Role => (roles as readonly unknown[]).includes(text);
