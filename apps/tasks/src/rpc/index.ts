import { accessRules, serviceOnlyRule, type AccessRule } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { getActivity, getLedgerProgress, lookUp } from './operator.ts';
import { countOpenTasks, getTask, listTasks, startTransfers, waitForTasks } from './tasks.ts';

const gateway = ['gateway'] as const;
/** Callers on behalf of a user. */
const starters = ['gateway', 'sandbox'] as const;
const anyUser: AccessRule = { principal: 'user', roles: [] };

export const createRegistrations = (context: Context): Registration[] => [
  implement('tasks', context, {
    // Each transfer is authorized separately, by the token of its own principal.
    StartTransfers: { callers: starters, access: serviceOnlyRule, handler: startTransfers },
    // The required role depends on the requested type.
    GetTask: { callers: starters, access: anyUser, handler: getTask },
    // Each wait is authorized separately, too.
    WaitForTasks: { callers: gateway, access: serviceOnlyRule, handler: waitForTasks },
    ListTasks: { callers: gateway, access: accessRules.listTasks, handler: listTasks },
  }),
  implement('channelTasks', context, {
    CountOpenTasks: { callers: ['admin', 'rbac'], access: serviceOnlyRule, handler: countOpenTasks },
  }),
  implement('ledgerProgress', context, {
    GetLedgerProgress: { callers: ['inventory'], access: serviceOnlyRule, handler: getLedgerProgress },
  }),
  implement('activity', context, {
    GetActivity: { callers: ['admin'], access: serviceOnlyRule, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: ['admin'], access: serviceOnlyRule, handler: lookUp },
  }),
];
