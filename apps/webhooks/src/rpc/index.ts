import { auditLog } from '@saleschannel/audit';
import { accessRules, serviceOnlyRule } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { getDelivery, listDeliveries, replayEvents, retryDelivery, testEndpoint } from './deliveries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from './endpoints.ts';
import { lookUp } from './operator.ts';
import { breakEndpoints, leaveEndpoints } from './sandbox.ts';

const callers = ['gateway'] as const;
/** Only in a sandbox: these calls fail deliveries and delete endpoints. */
const sandbox = ({ isSandbox }: Context) => (isSandbox ? (['sandbox'] as const) : []);

export const createRegistrations = (context: Context): Registration[] => [
  implement('webhooks', context, {
    ListEndpoints: { callers, access: accessRules.listWebhookEndpoints, handler: listEndpoints },
    CreateEndpoint: { callers, access: accessRules.createWebhookEndpoint, handler: createEndpoint },
    GetEndpoint: { callers, access: accessRules.getWebhookEndpoint, handler: getEndpoint },
    UpdateEndpoint: { callers, access: accessRules.updateWebhookEndpoint, handler: updateEndpoint },
    DeleteEndpoint: { callers, access: accessRules.deleteWebhookEndpoint, handler: deleteEndpoint },
    RotateSecret: { callers, access: accessRules.rotateWebhookSecret, handler: rotateSecret },
    TestEndpoint: { callers, access: accessRules.testWebhookEndpoint, handler: testEndpoint },
    ListDeliveries: { callers, access: accessRules.listWebhookDeliveries, handler: listDeliveries },
    GetDelivery: { callers, access: accessRules.getWebhookDelivery, handler: getDelivery },
    RetryDelivery: { callers, access: accessRules.retryWebhookDelivery, handler: retryDelivery },
    ReplayEvents: { callers, access: accessRules.replayWebhookEvents, handler: replayEvents },
  }),
  implement('endpointSandbox', context, {
    BreakEndpoints: {
      callers: sandbox(context),
      access: accessRules.updateWebhookEndpoint,
      handler: breakEndpoints,
    },
    LeaveEndpoints: { callers: sandbox(context), access: accessRules.resetSandbox, handler: leaveEndpoints },
  }),
  auditLog(context),
  implement('lookUp', context, {
    LookUp: { callers: ['admin'], access: serviceOnlyRule, handler: lookUp },
  }),
];
