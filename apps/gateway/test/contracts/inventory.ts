import type { Contract } from '@saleschannel/testing/contracts';
import { trail } from './audit/trail.ts';
import { ofAnybody } from './inventory/public.ts';
import { ofChannels } from './inventory/channels.ts';
import { ofHolders } from './inventory/holders.ts';
import { ofRegistry } from './inventory/registry.ts';

/** The gateway's requirements of the ledger, by caller. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'inventory',
  interactions: [...ofChannels, ...ofHolders, ...ofRegistry, ...ofAnybody, ...trail('both')],
};
