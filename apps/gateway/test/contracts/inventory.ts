import type { Contract } from '@saleschannel/testing/contracts';
import { trail } from './audit/trail.ts';
import { ofAnybody } from './inventory/anybody.ts';
import { ofChannels } from './inventory/channels.ts';
import { ofHolders } from './inventory/holders.ts';
import { ofRegistry } from './inventory/registry.ts';

/** What the gateway relies on of the ledger, by those whom it asks for. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'inventory',
  interactions: [...ofChannels, ...ofHolders, ...ofRegistry, ...ofAnybody, ...trail('both')],
};
