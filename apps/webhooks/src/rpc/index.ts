import { auditLog } from '@saleschannel/audit';
import { access, serviceOnly } from '@saleschannel/auth';
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

export const registrations = (context: Context): Registration[] => [
  implement('webhooks', context, {
    ListEndpoints: { callers, access: access.listWebhookEndpoints, handler: listEndpoints },
    CreateEndpoint: { callers, access: access.createWebhookEndpoint, handler: createEndpoint },
    GetEndpoint: { callers, access: access.getWebhookEndpoint, handler: getEndpoint },
    UpdateEndpoint: { callers, access: access.updateWebhookEndpoint, handler: updateEndpoint },
    DeleteEndpoint: { callers, access: access.deleteWebhookEndpoint, handler: deleteEndpoint },
    RotateSecret: { callers, access: access.rotateWebhookSecret, handler: rotateSecret },
    TestEndpoint: { callers, access: access.testWebhookEndpoint, handler: testEndpoint },
    ListDeliveries: { callers, access: access.listWebhookDeliveries, handler: listDeliveries },
    GetDelivery: { callers, access: access.getWebhookDelivery, handler: getDelivery },
    RetryDelivery: { callers, access: access.retryWebhookDelivery, handler: retryDelivery },
    ReplayEvents: { callers, access: access.replayWebhookEvents, handler: replayEvents },
  }),
  implement('endpointSandbox', context, {
    BreakEndpoints: {
      callers: sandbox(context),
      access: access.updateWebhookEndpoint,
      handler: breakEndpoints,
    },
    LeaveEndpoints: { callers: sandbox(context), access: access.resetSandbox, handler: leaveEndpoints },
  }),
  auditLog(context),
  implement('lookUp', context, {
    LookUp: { callers: ['admin'], access: serviceOnly, handler: lookUp },
  }),
];
