import type {
  App,
  Environment,
  Logger,
  Migration,
  processEnvironment,
  ServiceDefinition,
  Values,
} from '@saleschannel/runtime';

/** A service that this process can host. */
export interface HostedService {
  readonly name: string;
  readonly environment: Environment;
  readonly migration: Migration | undefined;
  createApp(values: Readonly<Record<string, unknown>>, logger: Logger): Promise<App>;
}

function hosted<E extends Environment>({ name, environment, migration, ...rest }: ServiceDefinition<E>): HostedService {
  return {
    name,
    environment,
    migration,
    createApp: async (values, logger) => rest.createApp(values as Values<E & typeof processEnvironment>, logger),
  };
}

/** Loads a service by name. Services stop in reverse order, so callers come after the services that they call. */
const hostable = {
  identity: async () => hosted((await import('@saleschannel/identity/app')).service),
  rbac: async () => hosted((await import('@saleschannel/rbac/app')).service),
  traders: async () => hosted((await import('@saleschannel/traders/app')).service),
  inventory: async () => hosted((await import('@saleschannel/inventory/app')).service),
  tasks: async () => hosted((await import('@saleschannel/tasks/app')).service),
  events: async () => hosted((await import('@saleschannel/events/app')).service),
  'registry-import': async () => hosted((await import('@saleschannel/registry-import/app')).service),
  webhooks: async () => hosted((await import('@saleschannel/webhooks/app')).service),
  sandbox: async () => hosted((await import('@saleschannel/sandbox/app')).service),
  'dev-idp': async () => hosted((await import('@saleschannel/dev-idp/app')).service),
  gateway: async () => hosted((await import('@saleschannel/gateway/app')).service),
  portal: async () => hosted((await import('@saleschannel/portal/app')).service),
  console: async () => hosted((await import('@saleschannel/console/app')).service),
};

export type HostableName = keyof typeof hostable;

export const hostableNames = Object.keys(hostable) as HostableName[];

/** Hosted only when named: `dev-idp` admits anyone, and `sandbox` acts as a registry. */
const namedOnly: ReadonlySet<HostableName> = new Set(['sandbox', 'dev-idp']);

/** Services of a production installation, the default. */
export const defaultNames = hostableNames.filter((name) => !namedOnly.has(name));

/** HTTP servers for clients. They drain before the services that they call. */
export const edges: ReadonlySet<string> = new Set<HostableName>(['gateway', 'portal', 'console']);

/** Parses a comma-separated list of services. @throws Error for an unknown name */
export function parseServices(list: string): HostableName[] {
  const requested = new Set(list.split(',').map((name) => name.trim()));
  const unknown = [...requested].filter((name) => !Object.hasOwn(hostable, name));
  if (unknown.length > 0)
    throw new Error(`There is no service "${unknown.join('", "')}". Choose among ${hostableNames.join(', ')}.`);
  return hostableNames.filter((name) => requested.has(name));
}

export const loadServices = (names: readonly HostableName[]): Promise<HostedService[]> =>
  Promise.all(names.map((name) => hostable[name]()));
