import type { Role } from './me.ts';
import { translated } from '../shared/i18n/messages.ts';

/** What a role lets its user do, in the order of the matrix. */
const words = translated({
  ASSET_VIEWER: 'Inventory',
  TRANSACTION_ADMINISTRATOR: 'Trade, retire',
  ASSET_OFFRAMPER: 'Offramp',
  TRADER_VIEWER: 'Traders',
  TRADER_ADMINISTRATOR: 'Edit traders',
  TRADERONBOARDERPROPOSAL_VIEWER: 'Proposals',
  TRADERONBOARDERPROPOSAL_ACCEPTER: 'Answer proposals',
  PRODUCTIONFACILITY_VIEWER: 'Facilities',
  SUPPLIER_VIEWER: 'Suppliers',
  EVENT_VIEWER: 'Events',
  ROLE_ADMINISTRATOR: 'People, roles',
}) satisfies Readonly<Record<Role, string>>;

export const roles = Object.keys(words) as readonly Role[];

export const roleWord = (role: Role): string => words[role];
