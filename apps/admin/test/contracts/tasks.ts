import type { Contract } from '@saleschannel/testing/contracts';
import { lookUp } from './every/common.ts';

/** Operators need from tasks the record of an id. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'tasks',
  interactions: [lookUp('a trade that was asked for', 'task')],
};
