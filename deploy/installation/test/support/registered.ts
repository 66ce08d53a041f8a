import { registrations as events } from '@saleschannel/events/rpc';
import type { Registration } from '@saleschannel/grpc';
import { registrations as identity } from '@saleschannel/identity/rpc';
import { registrations as inventory } from '@saleschannel/inventory/rpc';
import { registrations as rbac } from '@saleschannel/rbac/rpc';
import { registrations as registryImport } from '@saleschannel/registry-import/rpc';
import { registrations as sandbox } from '@saleschannel/sandbox/rpc';
import { registrations as tasks } from '@saleschannel/tasks/rpc';
import { registrations as traders } from '@saleschannel/traders/rpc';
import { registrations as webhooks } from '@saleschannel/webhooks/rpc';
import type { ServiceName } from '../../src/index.ts';

/** No handler runs here, so the context may be empty. */
const registered: Partial<Record<ServiceName, (context: never) => Registration[]>> = {
  identity,
  rbac,
  traders,
  inventory,
  tasks,
  events,
  'registry-import': registryImport,
  sandbox,
  webhooks,
};

/** Path of an RPC → permitted callers. */
export function callersOfRpcs(service: ServiceName, isSandbox: boolean): Map<string, readonly string[]> {
  const registrations = registered[service]?.({ isSandbox } as never) ?? [];
  return new Map(
    registrations.flatMap(({ contract, rpcs }) =>
      Object.entries(rpcs).map(([name, { callers }]): [string, readonly string[]] => [
        `${contract.name}/${name}`,
        callers,
      ]),
    ),
  );
}
