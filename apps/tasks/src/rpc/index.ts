import { access, serviceOnly, type AccessRule } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { countOpenTasks } from './count-open-tasks.ts';
import { getActivity } from './get-activity.ts';
import { getLedgerProgress } from './get-ledger-progress.ts';
import { getTask } from './get-task.ts';
import { listTasks } from './list-tasks.ts';
import { lookUp } from './look-up.ts';
import { startTransfers } from './start-transfers.ts';
import { waitForTasks } from './wait-for-tasks.ts';

const gateway = ['gateway'] as const;
/** Both in the name of a user. */
const starters = ['gateway', 'sandbox'] as const;
const anyUser: AccessRule = { principal: 'user', roles: [] };

export const registrations = (context: Context): Registration[] => [
  implement('tasks', context, {
    // Each transfer brings the principal of its own caller, and is let in or not on its own.
    StartTransfers: { callers: starters, access: serviceOnly, handler: startTransfers },
    // The role depends on the type that is asked for.
    GetTask: { callers: starters, access: anyUser, handler: getTask },
    // So does each wait.
    WaitForTasks: { callers: gateway, access: serviceOnly, handler: waitForTasks },
    ListTasks: { callers: gateway, access: access.listTasks, handler: listTasks },
  }),
  implement('channelTasks', context, {
    CountOpenTasks: { callers: ['admin', 'rbac'], access: serviceOnly, handler: countOpenTasks },
  }),
  implement('ledgerProgress', context, {
    GetLedgerProgress: { callers: ['inventory'], access: serviceOnly, handler: getLedgerProgress },
  }),
  implement('activity', context, {
    GetActivity: { callers: ['admin'], access: serviceOnly, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: ['admin'], access: serviceOnly, handler: lookUp },
  }),
];
