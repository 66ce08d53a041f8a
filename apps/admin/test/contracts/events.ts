import type { Contract } from '@saleschannel/testing/contracts';
import { lookUp } from './every/common.ts';

/** Operators need from events the record of an id. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'events',
  interactions: [lookUp('a channel with three events, and one without any', 'first')],
};
