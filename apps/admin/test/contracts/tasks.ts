import type { Contract } from '@saleschannel/testing/contracts';
import { lookUp } from './every/common.ts';

/** What operators rely on of tasks: what an id names. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'tasks',
  interactions: [lookUp('a trade that was asked for', 'task')],
};
