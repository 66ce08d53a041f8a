import type { Contract } from '@saleschannel/testing/contracts';
import { trail } from './audit/trail.ts';
import { publicRequirements } from './inventory/public.ts';
import { channelRequirements } from './inventory/channels.ts';
import { holderRequirements } from './inventory/holders.ts';
import { registryRequirements } from './inventory/registry.ts';

/** The gateway's requirements of the ledger, by caller. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'inventory',
  interactions: [
    ...channelRequirements,
    ...holderRequirements,
    ...registryRequirements,
    ...publicRequirements,
    ...trail('both'),
  ],
};
