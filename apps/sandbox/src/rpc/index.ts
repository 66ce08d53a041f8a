import { accessRules } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { reset, trigger } from './sandbox.ts';

const gateway = ['gateway'] as const;

export const createRegistrations = (context: Context): Registration[] => [
  implement('sandbox', context, {
    Trigger: { callers: gateway, access: accessRules.triggerSandboxEvent, handler: trigger },
    Reset: { callers: gateway, access: accessRules.resetSandbox, handler: reset },
  }),
];
