import { createRegistrations as events } from '@saleschannel/events/rpc';
import type { Registration } from '@saleschannel/grpc';
import { createRegistrations as identity } from '@saleschannel/identity/rpc';
import { createRegistrations as inventory } from '@saleschannel/inventory/rpc';
import { createRegistrations as rbac } from '@saleschannel/rbac/rpc';
import { createRegistrations as registryImport } from '@saleschannel/registry-import/rpc';
import { createRegistrations as sandbox } from '@saleschannel/sandbox/rpc';
import { createRegistrations as tasks } from '@saleschannel/tasks/rpc';
import { createRegistrations as traders } from '@saleschannel/traders/rpc';
import { createRegistrations as webhooks } from '@saleschannel/webhooks/rpc';
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
