import type { Contract } from '@saleschannel/testing/contracts';
import { lookUp } from './every/common.ts';

/** What operators rely on of events: what an id names. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'events',
  interactions: [lookUp('a channel with three events, and one without any', 'first')],
};
