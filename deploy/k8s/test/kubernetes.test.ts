import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { migrationEnvironment } from '@saleschannel/database';
import { LIVENESS } from '@saleschannel/grpc';
import {
  ADMIN,
  addressVariable,
  apiCallers,
  AUDITOR,
  brokerPrograms,
  calleesOf,
  callersOf,
  databaseServices,
  grpcServices,
  environmentOf,
  keyHolders,
  knownAs,
  ports,
  productionServices,
  reads,
  sandboxServices,
  secretVariables,
  type ProgramName,
  type ServiceName,
} from '@saleschannel/installation';
import { readEnvironment } from '@saleschannel/runtime';
import { isInstalled, ISSUER, projectRoot, run, runScript } from '../../installation/test/support/programs.ts';
import {
  givenTo,
  manifestText,
  namesOfPeers,
  only,
  parseObjects,
  podOf,
  readKustomization,
  readObjects,
  type Container,
  type Given,
  type KubernetesObject,
  type PodSpec,
} from './support/manifests.ts';

/** With what a sandbox has besides. */
const base = [...readObjects('base'), ...readObjects('sandbox')];
const migrations = readObjects('migrations');
const config = readObjects('config');
const namesInBase = productionServices.map(({ name }) => name);
const services = [...namesInBase, ...sandboxServices.map(({ name }) => name)];

const deploymentOf = (name: ServiceName): PodSpec => podOf(only(base, 'Deployment', name));
const jobOf = (name: ServiceName): PodSpec => podOf(only(migrations, 'Job', `migrate-${name}`));
const jobs = databaseServices.map((name): [ServiceName, PodSpec] => [name, jobOf(name)]);
const pods: [ProgramName, PodSpec][] = [
  ...services.map((name): [ProgramName, PodSpec] => [name, deploymentOf(name)]),
  [AUDITOR, podOf(only(readObjects('audit'), 'CronJob', AUDITOR))],
  [ADMIN, podOf(only(parseObjects(manifestText('examples/admin.yaml')), 'Job', undefined))],
];

describe('with the generated Secrets', () => {
  const servers = ['--database', 'db.example.org:5432', '--broker', 'mq.example.org:5671', '--broker-tls'];
  const made = runScript('deploy/k8s/generate-secrets.ts', ...servers);
  const generated = parseObjects(made.stdout);

  test('service keys are exchanged step by step, in the file that is kept', () => {
    const folder = mkdtempSync(join(tmpdir(), 'saleschannel-k8s-'));
    const file = join(folder, 'installation.json');
    const run = (...args: string[]) => runScript('deploy/k8s/generate-secrets.ts', ...servers, '--save', file, ...args);
    const rotate = (...step: string[]) => run('--from', file, '--rotate', 'service-keys', ...step);
    const publicKeysIn = (text: string): number => {
      const known = only(parseObjects(text), 'ConfigMap', 'service-public-keys').data?.['SERVICE_PUBLIC_KEYS'] ?? '{}';
      return (JSON.parse(known) as { keys: unknown[] }).keys.length;
    };
    try {
      expect(run()).toMatchObject({ status: 0 });
      expect(run('--rotate', 'service-keys', '--step', 'prepare').stderr).toContain('--rotate needs --from');
      expect(rotate().stderr).toContain('--step prepare, then switch, then finish');
      const counts = ['prepare', 'switch', 'finish'].map((step) => publicKeysIn(rotate('--step', step).stdout));
      expect(counts).toEqual([2 * keyHolders.length, 2 * keyHolders.length, keyHolders.length]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  /** What the process would see, with an issuer and an address for people set. */
  function valueOf({ value, from }: Given): string | undefined {
    if (!from) return value;
    const { kind, name, key, optional } = from;
    const object = only([...config, ...generated], kind, name);
    const text = kind === 'Secret' ? object.stringData?.[key] : object.data?.[key];
    if (text === undefined && !optional) throw new Error(`${kind} ${name} has no key ${key}`);
    return key === 'OIDC_ISSUER' || key === 'PORTAL_URL' ? ISSUER : text;
  }

  test.each(pods)('%s starts', (name, pod) => {
    const seen = Object.fromEntries(givenTo(pod.containers[0]).map((given) => [given.name, valueOf(given)]));
    expect(() => readEnvironment(environmentOf(name), seen)).not.toThrow();
  });

  test.each(jobs)('the migration of %s starts', (_name, pod) => {
    const seen = Object.fromEntries(givenTo(pod.containers[0]).map((given) => [given.name, valueOf(given)]));
    expect(() => readEnvironment(migrationEnvironment, seen)).not.toThrow();
  });

  test.each(pods)('%s has its secrets, and only them, from its own Secret', (name, pod) => {
    for (const { name: variable, from } of givenTo(pod.containers[0])) {
      expect(from?.kind === 'Secret').toBe(secretVariables.has(variable));
      const optional = environmentOf(name)[variable]?.optional;
      if (from?.kind === 'Secret') expect(from).toEqual({ kind: 'Secret', name, key: variable, optional });
    }
    const held = Object.keys(only(generated, 'Secret', name).stringData ?? {});
    expect(held.filter((variable) => !reads(name, variable))).toEqual([]);
  });

  test('every program has a certificate, and the database is reached with TLS unless it is said otherwise', () => {
    for (const program of keyHolders) {
      const { type, stringData } = only(generated, 'Secret', `${program}-tls`);
      expect({ type, keys: Object.keys(stringData ?? {}).toSorted() }).toEqual({
        type: 'kubernetes.io/tls',
        keys: ['ca.crt', 'tls.crt', 'tls.key'],
      });
    }
    expect(only(generated, 'Secret', 'identity').stringData?.['DATABASE_URL']).toMatch(/\?sslmode=verify-full$/);
    const without = parseObjects(
      runScript('deploy/k8s/generate-secrets.ts', ...servers, '--without-certificates').stdout,
    );
    expect(without.filter(({ metadata }) => metadata.name?.endsWith('-tls'))).toEqual([]);
  });

  test('servers are named as they were given', () => {
    expect(only(generated, 'Secret', 'identity').stringData).toMatchObject({
      DATABASE_URL: expect.stringMatching(
        /^postgres:\/\/saleschannel_identity:[^@]+@db\.example\.org:5432\//,
      ) as unknown,
      AMQP_URL: expect.stringMatching(/^amqps:\/\/identity:[^@]+@mq\.example\.org:5671\/saleschannel$/) as unknown,
    });
  });
});

test.each([...pods, ...jobs])('%s runs without rights, with limits', (_name, pod) => {
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  });
  const [container] = pod.containers;
  expect(pod.containers).toHaveLength(1);
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  for (const resources of [container.resources.requests, container.resources.limits])
    expect(Object.keys(resources).toSorted()).toEqual(['cpu', 'memory']);
});

test.each(databaseServices)(
  'the migration of %s runs once, as the owner of its tables and with no other secret',
  (name) => {
    const [container] = jobOf(name).containers;
    const [service] = deploymentOf(name).containers;
    expect(jobOf(name).restartPolicy).toBe('Never');
    expect(container).toMatchObject({ args: ['migrate'], image: service.image });
    expect(givenTo(container).flatMap(({ from }) => (from?.kind === 'Secret' ? [from] : []))).toEqual([
      { kind: 'Secret', name: `migrate-${name}`, key: 'MIGRATION_DATABASE_URL', optional: false },
    ]);
    expect(givenTo(service).map((given) => given.name)).not.toContain('MIGRATION_DATABASE_URL');
  },
);

test.each(services)('%s has two replicas, which selectors find and which take their time to stop', (name) => {
  const { replicas, selector, template } = only(base, 'Deployment', name).spec;
  expect(replicas).toBe(2);
  expect(template.spec.serviceAccountName).toBe(only(base, 'ServiceAccount', name).metadata.name);
  for (const labels of [
    selector.matchLabels,
    only(base, 'Service', name).spec.selector,
    only(base, 'PodDisruptionBudget', name).spec.selector.matchLabels,
    only(base, 'NetworkPolicy', name).spec.podSelector.matchLabels ?? {},
  ])
    expect(template.metadata.labels).toMatchObject(labels);
  // Longer than the pause before the stop and the 25 s that a service takes at most.
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(30);
});

const isPublished = (name: string): boolean => name === 'gateway' || name === 'portal';
const isHttp = (name: string): boolean => isPublished(name) || name === 'console';

test.each(services)('%s: ports, probes and addresses agree', (name) => {
  const { template } = only(base, 'Deployment', name).spec;
  const service = only(base, 'Service', name);
  const [container] = template.spec.containers;
  const port = Object.fromEntries((container.ports ?? []).map((each) => [each.name, each.containerPort]));
  const values = Object.fromEntries(givenTo(container).map((each) => [each.name, each.value]));
  expect(container).toMatchObject({ args: ['serve'], image: `saleschannel/${name}` });
  expect(values).toMatchObject({ METRICS_HOST: '0.0.0.0', METRICS_PORT: String(port['metrics']) });
  expect(template.metadata.annotations).toMatchObject({
    'prometheus.io/scrape': 'true',
    'prometheus.io/port': String(ports.metrics),
  });
  if (isHttp(name)) {
    const prefix = name.toUpperCase();
    expect(values).toMatchObject({ [`${prefix}_HOST`]: '0.0.0.0', [`${prefix}_PORT`]: String(port['http']) });
    expect(container).toMatchObject({
      livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
    });
    expect(service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  } else {
    expect(values).toMatchObject({ GRPC_HOST: '0.0.0.0', GRPC_PORT: String(port['grpc']) });
    expect(values).toMatchObject({ GRPC_HEALTH_PORT: String(port['health']) });
    const readinessProbe = { grpc: { port: port['health'] } };
    const alive = { grpc: { port: port['health'], service: LIVENESS } };
    expect(container).toMatchObject({ startupProbe: alive, livenessProbe: alive, readinessProbe });
    expect(container.readinessProbe).not.toMatchObject(alive);
    expect(service.spec).toMatchObject({
      clusterIP: 'None',
      ports: [{ name: 'grpc', port: port['grpc'], targetPort: 'grpc' }],
    });
  }
  for (const callee of calleesOf(name))
    expect(values[addressVariable(callee)]).toBe(`${callee}:${only(base, 'Service', callee).spec.ports[0]?.port}`);
});

test.each(services)('%s reaches those that it calls, and is reached by those that call it', (name) => {
  const { policyTypes, egress = [], ingress = [] } = only(base, 'NetworkPolicy', name).spec;
  expect(policyTypes).toEqual(['Ingress', 'Egress']);
  const callees = [...(apiCallers.includes(name) ? ['gateway'] : []), ...calleesOf(name).toSorted()];
  expect(egress.flatMap(({ to = [] }) => namesOfPeers(to))).toEqual(callees);
  const calls = ingress.slice(0, -1);
  const metrics = ingress.at(-1);
  expect(metrics?.ports).toEqual([{ port: 'metrics' }]);
  const ingressController = { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } };
  if (name === 'console') expect(calls).toEqual([]);
  else if (isPublished(name)) {
    const [outside, ...inside] = calls;
    expect(outside).toEqual({ from: [{ namespaceSelector: ingressController }], ports: [{ port: 'http' }] });
    expect(inside.flatMap(({ from = [] }) => namesOfPeers(from))).toEqual(
      name === 'gateway' ? apiCallers.toSorted() : [],
    );
    for (const { ports: open } of inside) expect(open).toEqual([{ port: 'http' }]);
  } else
    expect(
      calls.map(({ from = [], ports: open }) => ({ from: namesOfPeers(from), ports: open, peers: from.length })),
    ).toEqual([{ from: callersOf(name).toSorted(), ports: [{ port: 'grpc' }], peers: callersOf(name).length }]);
});

test('the admin command reaches the services that it calls, and the broker', () => {
  const { policyTypes, egress = [], ingress } = only(config, 'NetworkPolicy', ADMIN).spec;
  expect({ policyTypes, ingress }).toEqual({ policyTypes: ['Ingress', 'Egress'], ingress: undefined });
  expect(namesOfPeers(egress.flatMap(({ to = [] }) => to))).toEqual(calleesOf(ADMIN).toSorted());
});

test('nobody goes out to just anywhere, and out of the namespace only who has to', () => {
  const policies = [...config, ...base].filter(({ kind }) => kind === 'NetworkPolicy');
  const rules = policies.flatMap(({ spec }) => spec.egress ?? []);
  expect(rules.filter(({ to = [] }) => to.length === 0)).toEqual([]);
  const named = (policy: string): string[] =>
    only(config, 'NetworkPolicy', policy).spec.podSelector.matchExpressions?.flatMap(({ values }) => values) ?? [];
  const migrations = databaseServices.map((name) => `migrate-${name}`);
  expect(named('to-database').toSorted()).toEqual([AUDITOR, ...databaseServices, ...migrations].toSorted());
  expect(named('to-broker').toSorted()).toEqual(brokerPrograms.toSorted());
  expect(named('to-issuer')).toEqual(['identity', 'portal', 'console']);
  expect(named('to-webhooks')).toEqual(['webhooks']);
  for (const policy of ['to-issuer', 'to-webhooks']) {
    const outside = only(config, 'NetworkPolicy', policy).spec.egress?.flatMap(({ to = [] }) => to) ?? [];
    for (const { ipBlock } of outside) expect(ipBlock?.except).not.toEqual([]);
    expect(outside[0]?.ipBlock?.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']));
  }
});

test.each([...grpcServices, 'gateway', 'console', ADMIN] as ProgramName[])(
  '%s has its own certificate of TLS where it looks for it',
  (name) => {
    const pod = pods.find(([program]) => program === name)?.[1];
    const mount = pod?.containers[0].volumeMounts?.find((each) => each.name === 'tls');
    expect(mount).toMatchObject({ readOnly: true });
    // The console is known as the administration.
    expect(pod?.volumes).toEqual([{ name: 'tls', secret: { secretName: `${knownAs(name)}-tls` } }]);
    const values = Object.fromEntries(givenTo(pod?.containers[0] as Container).map((each) => [each.name, each.value]));
    expect(values).toMatchObject({
      GRPC_TLS_CERT_FILE: `${mount?.mountPath}/tls.crt`,
      GRPC_TLS_KEY_FILE: `${mount?.mountPath}/tls.key`,
      GRPC_TLS_CA_FILE: `${mount?.mountPath}/ca.crt`,
    });
  },
);

test('the example of cert-manager makes the Secret of each program, with the name by which the others know it', () => {
  const certificates = parseObjects(manifestText('examples/cert-manager.yaml')).flatMap(({ spec }) => {
    const { secretName, dnsNames } = spec as { secretName?: string; dnsNames?: string[] };
    return dnsNames ? [{ secretName, dnsNames }] : [];
  });
  expect(certificates).toEqual(keyHolders.map((name) => ({ secretName: `${name}-tls`, dnsNames: [name] })));
});

test('a migration with a wrong environment is not tried again', () => {
  for (const name of databaseServices)
    expect(only(migrations, 'Job', `migrate-${name}`).spec.podFailurePolicy?.rules).toEqual([
      { action: 'FailJob', onExitCodes: { containerName: name, operator: 'In', values: [78] } },
    ]);
});

test('in one synchronization the migrations follow what they need, and go before the services', () => {
  const waveOf = ({ metadata }: KubernetesObject): number =>
    Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
  const jobs = migrations.filter(({ kind }) => kind === 'Job');
  // A hook of an earlier phase would wait for what only this phase makes.
  for (const { metadata } of jobs) expect(metadata.annotations).toMatchObject({ 'argocd.argoproj.io/hook': 'Sync' });
  const firstJob = Math.min(...jobs.map(waveOf));
  const needed = Number(readKustomization('config').commonAnnotations?.['argocd.argoproj.io/sync-wave']);
  expect(needed).toBeLessThan(firstJob);
  for (const object of migrations.filter(({ kind }) => kind !== 'Job')) expect(waveOf(object)).toBeLessThan(firstJob);
  for (const object of base) expect(waveOf(object)).toBeGreaterThan(Math.max(...jobs.map(waveOf)));
});

test('nothing is let through that no policy names, and there is no secret', () => {
  expect(only(config, 'NetworkPolicy', 'default-deny').spec).toEqual({
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
  });
  expect([...base, ...migrations, ...config].filter(({ kind }) => kind === 'Secret')).toEqual([]);
  expect(only(config, 'Namespace', 'saleschannel').metadata.labels).toMatchObject({
    'pod-security.kubernetes.io/enforce': 'restricted',
  });
});

test.each(['audit', 'base', 'config', 'migrations', 'sandbox'])('every file of %s is part of it', (folder) => {
  const files = readdirSync(join(projectRoot, 'deploy/k8s', folder)).filter((file) => file !== 'kustomization.yaml');
  expect(readKustomization(folder).resources.toSorted()).toEqual(files.toSorted());
});

test('the example of an overlay leads to what is published, and to nothing else', () => {
  const ingresses = parseObjects(manifestText('examples/production/services/ingress.yaml'));
  const paths = ingresses.flatMap(({ spec: { rules = [] } }) => rules).flatMap(({ http }) => http.paths);
  expect(paths.map(({ backend }) => backend.service)).toEqual(
    services.filter(isPublished).map((name) => {
      const [port] = only(base, 'Service', name).spec.ports;
      return { name, port: { name: port?.name } };
    }),
  );
});

test('the example of an overlay has the image of every service', () => {
  const images = (readKustomization('examples/production/common').images ?? []).map(({ name }) => name);
  expect(images.toSorted()).toEqual(namesInBase.map((name) => `saleschannel/${name}`).toSorted());
});

// Where kubectl is not installed, the manifests are still checked above.
if (isInstalled('kubectl'))
  test.each([
    'audit',
    'config',
    'migrations',
    'base',
    'sandbox',
    'examples/production',
    'examples/production/migrations',
    'examples/production/services',
  ])('%s is put together by kustomize', (folder) => {
    const { status, stdout, stderr } = run('kubectl', ['kustomize', `deploy/k8s/${folder}`]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const { kind, metadata } of parseObjects(stdout))
      if (kind !== 'Namespace') expect(metadata.namespace).toBe('saleschannel');
  });
