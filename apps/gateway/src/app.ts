import { createHealthProbe, createServiceIdentity, type HealthProbe } from '@saleschannel/grpc';
import { broadcasts, createServiceBroker, listenToBroadcasts } from '@saleschannel/messaging';
import {
  composeApp,
  createJob,
  createReadiness,
  together,
  type Logger,
  type Part,
  type ServiceDefinition,
  type Values,
} from '@saleschannel/runtime';
import { Authenticator } from './authentication/authenticator.ts';
import { Standing } from './authentication/standing.ts';
import { trailEndsOf } from './authentication/trail-ends.ts';
import { createClients } from './clients.ts';
import { loadContract } from './contract/document.ts';
import { createEdge } from './edge.ts';
import { docsSignInOf } from './docs/sign-in.ts';
import { environment } from './environment.ts';
import { handlers } from './handlers/index.ts';
import { proxiesOf } from './http/proxies.ts';
import { previousGeneration } from './previous-generation/generation.ts';
import { SecurityLog } from '@saleschannel/edge';

const NAME = 'gateway';

/** Forgets what was remembered of users and keys as soon as it is said to have changed. */
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

/** Between two looks at what has changed. */
const LOOK_MS = 500;
/** Of a service without which no request can be served. */
const PROBE_TIMEOUT_MS = 1_000;
const monotonicMs = (): number => performance.now();

/** What tests set. */
export interface ServiceParts {
  /**
   * Tells how old a session is and what rate limits have paid back, in milliseconds that never go backwards.
   */
  readonly now?: () => number;
  /** Where the security log goes. The logger of the service unless told. */
  readonly securityLogger?: Logger;
}

export const createService = ({ now = monotonicMs, securityLogger }: ServiceParts = {}): ServiceDefinition<
  typeof environment
> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const isProxy = proxiesOf({
      behindProxy: values.BEHIND_PROXY === 'yes',
      trustedProxies: values.TRUSTED_PROXIES,
    });
    const identity = await createServiceIdentity(NAME, values, logger);
    const clients = createClients(values, identity);
    const { audit, ...others } = clients;
    const { tls: own } = identity.tokens;
    const probeOf = (receiver: string, address: string): HealthProbe =>
      createHealthProbe(address, { tls: own && { own, receiver } });
    const probes = [probeOf('identity', values.IDENTITY_ADDRESS), probeOf('tasks', values.TASKS_ADDRESS)];
    const contract = loadContract({ selectionsAtMost: values.SELECTIONS_AT_MOST });
    let end: 'draining' | 'closing' | undefined;
    const draining = new AbortController();
    // Of the services that keep what a principal of a sales channel is made of.
    const standing = new Standing({ now, readEnds: trailEndsOf([audit.identity, audit.rbac]) });
    const watch = createJob({
      everyMs: LOOK_MS,
      work: () => standing.look(),
      failed: (error) =>
        logger.debug({ err: error }, 'what has changed cannot be read: principals are asked for again'),
    });
    const authenticator = new Authenticator({
      authenticate: (request, options) => clients.identity.Authenticate(request, options),
      verifier: identity.verifier,
      standing,
      now,
    });
    const securityLog = new SecurityLog({ logger: securityLogger ?? logger, now });
    const { current, previous } = handlers(clients, {
      contract,
      isReady: createReadiness(
        probes.map((probe) => () => probe.isServing(PROBE_TIMEOUT_MS)),
        now,
      ),
      isDraining: () => end !== undefined,
      portalUrl: values.PORTAL_URL,
      docsFolder: values.DOCS_FOLDER,
      docsSignIn: docsSignInOf(values),
      isClosing: () => end === 'closing',
      streams: {
        atMost: values.EVENT_STREAMS_AT_MOST,
        perChannel: values.EVENT_STREAMS_PER_CHANNEL,
        perUser: values.EVENT_STREAMS_PER_USER,
      },
      waits: { atMost: values.TASK_WAITS_AT_MOST, perChannel: values.TASK_WAITS_PER_CHANNEL },
      draining: draining.signal,
      now,
    });
    const { main, registry } = createEdge({
      values,
      generations: [
        { contract, handlers: current },
        ...(values.PREVIOUS_GENERATION === 'on'
          ? [previousGeneration(contract, previous, values.PREVIOUS_GENERATION_SUNSET)]
          : []),
      ],
      authenticator,
      securityLog,
      isProxy,
      onDraining() {
        end ??= 'draining';
        draining.abort();
      },
      onClosing: () => (end = 'closing'),
      now,
      logger,
    });
    const parts = [listenForChanges(values, authenticator, logger), watch, securityLog];
    const closed = Object.values(others).filter((client) => client !== undefined);
    return composeApp(parts, registry ? together(main, registry) : main, [
      ...closed,
      ...Object.values(audit),
      ...probes,
    ]);
  },
});

export const service = createService();
