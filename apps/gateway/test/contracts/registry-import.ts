import type { Contract } from '@saleschannel/testing/contracts';
import { trail } from './audit/trail.ts';
import { accountHolderRequirements } from './registry-import/account-holders.ts';
import { recordRequirements } from './registry-import/records.ts';

/** The gateway's requirements of registry-import: account holders, their proposals, and records. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'registry-import',
  interactions: [...accountHolderRequirements, ...recordRequirements, ...trail('registry')],
};
