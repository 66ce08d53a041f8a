import { createHealthProbe, createServiceIdentity, type HealthProbe } from '@saleschannel/grpc';
import { broadcasts, createServiceBroker, listenToBroadcasts } from '@saleschannel/messaging';
import {
  composeApp,
  createJob,
  createReadiness,
  drainTogether,
  type Logger,
  type Part,
  type ServiceDefinition,
  type Values,
} from '@saleschannel/runtime';
import { SecurityLog } from '@saleschannel/edge';
import { Authenticator } from './authentication/authenticator.ts';
import { RevocationWatch, createHeadReader } from './authentication/revocation-watch.ts';
import { createClients } from './clients.ts';
import { loadContract } from './contract/document.ts';
import { createEdge } from './edge.ts';
import { readDocsSignIn } from './docs/contract-page.ts';
import { environment } from './environment.ts';
import { createHandlers } from './handlers/index.ts';
import { createProxyTest } from './http/connections.ts';
import { createPreviousGeneration } from './previous-generation/contract.ts';

const NAME = 'gateway';

/** Drops cached sessions of users and keys when a broadcast reports a change. */
function listenForChanges(values: Values<typeof environment>, authenticator: Authenticator, logger: Logger): Part {
  const broker = createServiceBroker(NAME, values, logger);
  listenToBroadcasts({
    broker,
    service: NAME,
    events: broadcasts.gateway,
    onEntry(entry) {
      if (entry.type === 'rbac.binding.changed.v1') authenticator.forgetUser(entry.event.userId);
      else authenticator.forgetKey(entry.event.keyId);
    },
    logger,
  });
  return broker;
}

const POLL_MS = 500;
/** Timeout of readiness probes of the services that every request needs. */
const PROBE_TIMEOUT_MS = 1_000;
const monotonicMs = (): number => performance.now();

/** Replaced by tests. */
export interface ServiceParts {
  /** Monotonic clock of sessions and rate limits, in milliseconds. */
  readonly now?: () => number;
  /** Logger of the security log. The logger of the service if unset. */
  readonly securityLogger?: Logger;
}

export const createService = ({ now = monotonicMs, securityLogger }: ServiceParts = {}): ServiceDefinition<
  typeof environment
> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const isProxy = createProxyTest({
      behindProxy: values.BEHIND_PROXY === 'yes',
      trustedProxies: values.TRUSTED_PROXIES,
    });
    const identity = await createServiceIdentity(NAME, values, logger);
    const clients = createClients(values, identity);
    const { audit, ...others } = clients;
    const { tls: own } = identity.tokens;
    const createProbe = (receiver: string, address: string): HealthProbe =>
      createHealthProbe(address, { tls: own && { own, receiver } });
    const probes = [createProbe('identity', values.IDENTITY_ADDRESS), createProbe('tasks', values.TASKS_ADDRESS)];
    const contract = loadContract({ selectionsAtMost: values.SELECTIONS_AT_MOST });
    const docsSignIn = readDocsSignIn(values);
    let stopping: 'draining' | 'closing' | undefined;
    const draining = new AbortController();
    // Identity and rbac store everything that makes a principal of a sales channel.
    const revocationWatch = new RevocationWatch({ now, readHeads: createHeadReader([audit.identity, audit.rbac]) });
    const pollJob = createJob({
      everyMs: POLL_MS,
      work: () => revocationWatch.poll(),
      onError: (error) => logger.debug({ err: error }, 'cannot read audit heads: principals are authenticated again'),
    });
    const authenticator = new Authenticator({
      authenticate: (request, options) => clients.identity.Authenticate(request, options),
      verifier: identity.verifier,
      revocationWatch,
      now,
    });
    const securityLog = new SecurityLog({ logger: securityLogger ?? logger, now });
    const { current, previous } = createHandlers(clients, {
      contract,
      isReady: createReadiness(
        probes.map((probe) => () => probe.isServing(PROBE_TIMEOUT_MS)),
        now,
      ),
      isDraining: () => stopping !== undefined,
      portalUrl: values.PORTAL_URL,
      docsFolder: values.DOCS_FOLDER,
      docsSignIn,
      isClosing: () => stopping === 'closing',
      streams: {
        maxTotal: values.EVENT_STREAMS_AT_MOST,
        perChannel: values.EVENT_STREAMS_PER_CHANNEL,
        perUser: values.EVENT_STREAMS_PER_USER,
      },
      waits: { maxTotal: values.TASK_WAITS_AT_MOST, perChannel: values.TASK_WAITS_PER_CHANNEL },
      draining: draining.signal,
      now,
    });
    const { main, registry } = createEdge({
      values,
      generations: [
        { contract, handlers: current },
        ...(values.PREVIOUS_GENERATION === 'on'
          ? [createPreviousGeneration(contract, previous, values.PREVIOUS_GENERATION_SUNSET)]
          : []),
      ],
      authenticator,
      securityLog,
      docsSignIn,
      isProxy,
      onDraining() {
        stopping ??= 'draining';
        draining.abort();
      },
      onClosing: () => (stopping = 'closing'),
      now,
      logger,
    });
    const parts = [listenForChanges(values, authenticator, logger), pollJob, securityLog];
    const ownClients = Object.values(others).filter((client) => client !== undefined);
    return composeApp(parts, registry ? drainTogether(main, registry) : main, [
      ...ownClients,
      ...Object.values(audit),
      ...probes,
    ]);
  },
});

export const service = createService();
