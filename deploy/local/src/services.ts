import { environment as devIdp } from '@saleschannel/dev-idp/environment';
import { environment as events } from '@saleschannel/events/environment';
import { environment as gateway } from '@saleschannel/gateway/environment';
import { environment as identity } from '@saleschannel/identity/environment';
import { environment as inventory } from '@saleschannel/inventory/environment';
import { environment as rbac } from '@saleschannel/rbac/environment';
import { environment as registryImport } from '@saleschannel/registry-import/environment';
import { environment as tasks } from '@saleschannel/tasks/environment';
import { environment as traders } from '@saleschannel/traders/environment';
import type { Environment } from '@saleschannel/runtime';

/** What the stack is made of. The gateway comes last: it opens when everything behind it is there. */
export const services = [
  { name: 'identity', environment: identity as Environment },
  { name: 'rbac', environment: rbac as Environment },
  { name: 'traders', environment: traders as Environment },
  { name: 'inventory', environment: inventory as Environment },
  { name: 'tasks', environment: tasks as Environment },
  { name: 'events', environment: events as Environment },
  { name: 'registry-import', environment: registryImport as Environment },
  { name: 'dev-idp', environment: devIdp as Environment },
  { name: 'gateway', environment: gateway as Environment },
] as const;

export type ServiceName = (typeof services)[number]['name'];

const reads = (variable: string): ServiceName[] =>
  services.flatMap((service) => (variable in service.environment ? [service.name] : []));

export const databaseServices = reads('DATABASE_URL');
export const brokerServices = reads('AMQP_URL');
export const grpcServices = reads('GRPC_PORT');

/** Those that hold a key by which the others know them; the admin command is one of them. */
export const keyHolders = [...reads('SERVICE_PRIVATE_KEY'), 'admin'];

/** The variable by which services are told where another one is. */
export const addressVariable = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_ADDRESS`;
