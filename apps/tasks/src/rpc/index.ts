import { access, serviceOnly, type AccessRule } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { getActivity, getLedgerProgress, lookUp } from './operator.ts';
import { countOpenTasks, getTask, listTasks, startTransfers, waitForTasks } from './tasks.ts';

const gateway = ['gateway'] as const;
/** Callers on behalf of a user. */
const starters = ['gateway', 'sandbox'] as const;
const anyUser: AccessRule = { principal: 'user', roles: [] };

export const registrations = (context: Context): Registration[] => [
  implement('tasks', context, {
    // Each transfer is authorized separately, by the token of its own principal.
    StartTransfers: { callers: starters, access: serviceOnly, handler: startTransfers },
    // The required role depends on the requested type.
    GetTask: { callers: starters, access: anyUser, handler: getTask },
    // Each wait is authorized separately, too.
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
