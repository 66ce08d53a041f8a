import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
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
  identityOf,
  ports,
  productionServices,
  readsVariable,
  sandboxServices,
  type ProgramName,
  type ServiceName,
} from '@saleschannel/installation';
import { exampleFile } from '../charts.ts';
import {
  listVariables,
  namesOfPeers,
  findObject,
  parseObjects,
  podOf,
  type KubernetesObject,
  type PodSpec,
  renderEverything,
  describeWithHelm,
} from './support/manifests.ts';

const services = [...productionServices, ...sandboxServices].map(({ name }) => name);
const isPublished = (name: string): boolean => name === 'gateway' || name === 'portal';
const isHttp = (name: string): boolean => isPublished(name) || name === 'console';

test('the example ApplicationSet contains every program of a production installation, and the installation', () => {
  const { spec } = findObject(
    parseObjects(readFileSync(exampleFile('argocd/applicationset.yaml'), 'utf8')),
    'ApplicationSet',
    'saleschannel',
  );
  const { generators } = spec as unknown as { generators: { list: { elements: { name: string }[] } }[] };
  const names = generators.flatMap(({ list }) => list.elements.map(({ name }) => name));
  const programs = productionServices.map(({ name }) => name);
  expect(names.toSorted()).toEqual(['installation', ADMIN, AUDITOR, ...programs].toSorted());
});

describeWithHelm('the charts of production', (charts) => {
  const all = renderEverything(charts);
  const deploymentOf = (name: ServiceName): PodSpec => podOf(findObject(all, 'Deployment', name));
  const jobOf = (name: ServiceName): PodSpec => podOf(findObject(all, 'Job', `migrate-${name}`));
  const jobs = databaseServices.map((name): [string, PodSpec] => [`migrate-${name}`, jobOf(name)]);
  const pods: [ProgramName, PodSpec][] = [
    ...services.map((name): [ProgramName, PodSpec] => [name, deploymentOf(name)]),
    [AUDITOR, podOf(findObject(all, 'CronJob', AUDITOR))],
    [ADMIN, podOf(findObject(all, 'Job', undefined))],
  ];
  const valuesOf = (pod: PodSpec) => Object.fromEntries(listVariables(pod).map(({ name, value }) => [name, value]));
  const policyOf = (name: string) => findObject(all, 'NetworkPolicy', name).spec;

  test.each([...pods, ...jobs])(
    '%s runs without rights, with limits, and under an account without a token',
    (name, pod) => {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        serviceAccountName: name,
        priorityClassName: 'saleschannel',
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          fsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(findObject(all, 'ServiceAccount', name).automountServiceAccountToken).toBe(false);
      const [container] = pod.containers;
      expect(pod.containers).toHaveLength(1);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      for (const resources of [container.resources.requests, container.resources.limits])
        expect(Object.keys(resources).toSorted()).toEqual(['cpu', 'memory']);
      expect(container.image).toMatch(/^registry\.example\.org\/saleschannel\/[a-z-]+:\d+\.\d+\.\d+$/);
    },
  );

  test.each(databaseServices)(
    'the migration of %s runs once, as the owner of its tables, with no other secret',
    (name) => {
      const [container] = jobOf(name).containers;
      expect(jobOf(name).restartPolicy).toBe('Never');
      expect(container).toMatchObject({ args: ['migrate'], image: deploymentOf(name).containers[0].image });
      expect(listVariables(jobOf(name)).flatMap(({ from }) => from ?? [])).toEqual([
        { kind: 'Secret', name: `migrate-${name}`, key: 'MIGRATION_DATABASE_URL' },
      ]);
      expect(listVariables(deploymentOf(name)).map((given) => given.name)).not.toContain('MIGRATION_DATABASE_URL');
      // Retrying does not fix a wrong environment.
      expect(findObject(all, 'Job', `migrate-${name}`).spec.podFailurePolicy?.rules).toEqual([
        { action: 'FailJob', onExitCodes: { containerName: name, operator: 'In', values: [78] } },
      ]);
    },
  );

  test.each(services)('%s: selectors match its replicas, which are spread and stop gracefully', (name) => {
    const { replicas, selector, template } = findObject(all, 'Deployment', name).spec;
    const scaler = all.find(({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === name);
    expect(scaler === undefined).toBe(['registry-import', 'console', 'sandbox'].includes(name));
    // Two, from the autoscaler if there is one: a number beside it would reset its decision at each upgrade.
    expect([replicas, scaler?.spec.minReplicas]).toEqual(scaler ? [undefined, 2] : [2, undefined]);
    for (const labels of [
      selector.matchLabels,
      findObject(all, 'Service', name).spec.selector,
      findObject(all, 'PodDisruptionBudget', name).spec.selector.matchLabels,
      findObject(all, 'PodMonitor', name).spec.selector.matchLabels,
      policyOf(name).podSelector.matchLabels ?? {},
      ...(template.spec.topologySpreadConstraints ?? []).map(({ labelSelector }) => labelSelector.matchLabels),
    ])
      expect(template.metadata.labels).toMatchObject(labels);
    expect(template.spec.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
    // Longer than the pause before the stop plus the 25 s limit of a service.
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(30);
  });

  test.each(services)('%s: all its metrics in Prometheus, with "up", have its name', (name) => {
    expect(findObject(all, 'PodMonitor', name).spec).toMatchObject({
      podMetricsEndpoints: [
        {
          port: 'metrics',
          honorLabels: true,
          relabelings: [
            { sourceLabels: ['__meta_kubernetes_pod_label_app_kubernetes_io_name'], targetLabel: 'service_name' },
          ],
        },
      ],
    });
    const { labels } = findObject(all, 'Deployment', name).spec.template.metadata;
    expect(labels['app.kubernetes.io/name']).toBe(name);
  });

  test.each(services)('%s: ports, probes and addresses agree', (name) => {
    const service = findObject(all, 'Service', name);
    const pod = deploymentOf(name);
    const [container] = pod.containers;
    const port = Object.fromEntries((container.ports ?? []).map((each) => [each.name, each.containerPort]));
    const values = valuesOf(pod);
    expect(container.args).toEqual(['serve']);
    expect(values).toMatchObject({ METRICS_HOST: '0.0.0.0', METRICS_PORT: String(port['metrics']) });
    expect(port['metrics']).toBe(ports.metrics);
    if (isHttp(name)) {
      const prefix = name.toUpperCase();
      expect(values).toMatchObject({ [`${prefix}_HOST`]: '0.0.0.0', [`${prefix}_PORT`]: String(port['http']) });
      expect(container).toMatchObject({
        // A fault of all replicas removes none from the Service: they respond with errors themselves.
        startupProbe: { httpGet: { path: '/readyz', port: 'http' } },
        livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
        readinessProbe: { httpGet: { path: '/healthz', port: 'http' } },
      });
      expect(service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
    } else {
      expect(values).toMatchObject({ GRPC_HOST: '0.0.0.0', GRPC_PORT: String(port['grpc']) });
      expect(values).toMatchObject({ GRPC_HEALTH_PORT: String(port['health']) });
      const alive = { grpc: { port: port['health'], service: LIVENESS } };
      expect(container).toMatchObject({ startupProbe: alive, livenessProbe: alive });
      expect(container.readinessProbe?.grpc).toEqual({ port: port['health'] });
      expect(service.spec).toMatchObject({
        clusterIP: 'None',
        ports: [{ name: 'grpc', port: port['grpc'], targetPort: 'grpc' }],
      });
    }
    for (const callee of calleesOf(name))
      expect(values[addressVariable(callee)]).toBe(
        `${callee}:${findObject(all, 'Service', callee).spec.ports[0]?.port}`,
      );
  });

  test.each(services)('%s reaches its callees, and its callers reach it', (name) => {
    const { policyTypes, egress = [], ingress = [] } = policyOf(name);
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    const callees = [...(apiCallers.includes(name) ? ['gateway'] : []), ...calleesOf(name).toSorted()];
    expect(egress.flatMap(({ to = [] }) => namesOfPeers(to))).toEqual(callees);
    const calls = ingress.slice(0, -1);
    expect(ingress.at(-1)?.ports).toEqual([{ port: 'metrics' }]);
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

  test('the admin command reaches the services that it calls, and is not reachable', () => {
    const { policyTypes, egress = [], ingress } = policyOf(ADMIN);
    expect({ policyTypes, ingress }).toEqual({ policyTypes: ['Ingress', 'Egress'], ingress: undefined });
    expect(namesOfPeers(egress.flatMap(({ to = [] }) => to))).toEqual(calleesOf(ADMIN).toSorted());
  });

  test('the auditor keeps the heads of audit trails on its own claim, which no release owns', () => {
    const [container] = podOf(findObject(all, 'CronJob', AUDITOR)).containers;
    expect(container.args).toEqual(['--json', '--anchors', '/anchors/heads.jsonl']);
    const mount = container.volumeMounts?.find(({ mountPath }) => mountPath === '/anchors');
    expect(mount).toEqual({ name: 'anchors', mountPath: '/anchors' });
    const claims = [...pods, ...jobs].flatMap(([name, pod]) =>
      (pod.volumes ?? []).flatMap((volume) => (volume.persistentVolumeClaim ? [[name, volume]] : [])),
    );
    expect(claims).toEqual([[AUDITOR, { name: 'anchors', persistentVolumeClaim: { claimName: 'auditor-anchors' } }]]);
    expect(all.filter(({ kind }) => kind === 'PersistentVolumeClaim')).toEqual([]);
    const examples = parseObjects(readFileSync(exampleFile('namespace.yaml'), 'utf8'));
    expect(() => findObject(examples, 'PersistentVolumeClaim', 'auditor-anchors')).not.toThrow();
  });

  test('policies limit egress, and only some programs may leave the namespace', () => {
    const policies = all.filter(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name !== 'default-deny');
    // A rule without peers allows all destinations.
    expect(policies.flatMap(({ spec }) => spec.egress ?? []).filter(({ to = [] }) => to.length === 0)).toEqual([]);
    const reaching = (cidr: string): string[] =>
      policies.flatMap(({ metadata, spec }) =>
        spec.egress?.some(({ to = [] }) => to.some(({ ipBlock }) => ipBlock?.cidr === cidr))
          ? [metadata.name ?? '']
          : [],
      );
    const migrations = databaseServices.map((name) => `migrate-${name}`);
    expect(reaching('10.20.0.5/32').toSorted()).toEqual([AUDITOR, ...databaseServices, ...migrations].toSorted());
    expect(reaching('10.20.0.6/32').toSorted()).toEqual(brokerPrograms.toSorted());
    expect(reaching('203.0.113.10/32').toSorted()).toEqual(['console', 'identity', 'portal']);
    expect(reaching('0.0.0.0/0')).toEqual(['webhooks']);
    const [receivers] =
      policyOf('webhooks').egress?.flatMap(({ to = [] }) => to.filter(({ ipBlock }) => ipBlock)) ?? [];
    for (const { ipBlock } of policyOf('webhooks').egress?.flatMap(({ to = [] }) => to) ?? [])
      if (ipBlock?.cidr === '0.0.0.0/0')
        expect(ipBlock.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '168.63.129.16/32']));
    expect(receivers).toBeDefined();
    expect(policyOf('default-deny')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  test.each([...grpcServices, 'gateway', 'console', ADMIN] as ProgramName[])(
    '%s has its own certificate of TLS where it looks for it',
    (name) => {
      const pod = pods.find(([program]) => program === name)?.[1];
      const mount = pod?.containers[0].volumeMounts?.find((each) => each.name === 'tls');
      expect(mount).toMatchObject({ readOnly: true });
      // The console acts as admin.
      const volume = pod?.volumes?.find((each) => each.name === 'tls');
      expect(volume?.secret).toMatchObject({ secretName: `${identityOf(name)}-tls` });
      expect(valuesOf(pod as PodSpec)).toMatchObject({
        GRPC_TLS_CERT_FILE: `${mount?.mountPath}/tls.crt`,
        GRPC_TLS_KEY_FILE: `${mount?.mountPath}/tls.key`,
        GRPC_TLS_CA_FILE: `${mount?.mountPath}/ca.crt`,
      });
    },
  );

  test.each([...pods, ...jobs])('%s trusts the private CAs of its servers', (name, pod) => {
    const program = name.replace(/^migrate-/, '') as ProgramName;
    const isJob = name.startsWith('migrate-');
    const reaches = {
      DATABASE_CA_FILE: readsVariable(program, 'DATABASE_URL') || program === AUDITOR,
      AMQP_CA_FILE: readsVariable(program, 'AMQP_URL') && !isJob,
    };
    for (const [variable, isReached] of Object.entries(reaches)) {
      const server = variable === 'AMQP_CA_FILE' ? 'broker' : 'database';
      const volume = pod.volumes?.find((each) => each.name === `${server}-ca`);
      expect(valuesOf(pod)[variable]).toBe(isReached ? `/var/run/secrets/saleschannel/${server}-ca/ca.crt` : undefined);
      expect(volume?.secret).toEqual(
        isReached ? { secretName: `${server}-ca`, items: [{ key: 'ca.crt', path: 'ca.crt' }] } : undefined,
      );
    }
  });

  describe('in one synchronization', () => {
    const waveOf = ({ metadata }: KubernetesObject): number =>
      Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
    const isOfMigration = ({ metadata }: KubernetesObject): boolean => metadata.name?.startsWith('migrate-') ?? false;
    const migrations = all.filter((object) => object.kind === 'Job' && isOfMigration(object));

    test('with Argo CD, migrations follow their dependencies and precede the services', () => {
      expect(migrations).toHaveLength(databaseServices.length);
      for (const object of all.filter(isOfMigration)) {
        // A hook of an earlier phase would wait for Secrets of this phase.
        expect(object.metadata.annotations).toMatchObject({ 'argocd.argoproj.io/hook': 'Sync' });
        expect(waveOf(object)).toBe(object.kind === 'Job' ? -1 : -2);
      }
      for (const object of all.filter(({ kind }) => ['Deployment', 'CronJob'].includes(kind)))
        expect(waveOf(object)).toBe(0);
      expect(waveOf(findObject(all, 'NetworkPolicy', 'default-deny'))).toBeLessThan(-2);
    });

    test('with Helm, all dependencies of a migration are earlier hooks', () => {
      const weightOf = (object: KubernetesObject): number =>
        Number(object.metadata.annotations?.['helm.sh/hook-weight']);
      for (const job of migrations) {
        const needed = [
          findObject(all, 'ServiceAccount', podOf(job).serviceAccountName),
          findObject(all, 'NetworkPolicy', job.metadata.name),
        ];
        for (const object of [job, ...needed])
          expect(object.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
        for (const object of needed) expect(weightOf(object)).toBeLessThan(weightOf(job));
        // All its policies, because the rest of the release does not exist yet.
        const { egress = [] } = policyOf(job.metadata.name ?? '');
        expect(egress.map(({ ports: open }) => open?.[0]?.port)).toEqual([53, 5432]);
      }
    });
  });

  test('it contains no secret, and everything is in the namespace of the release', () => {
    expect(all.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    for (const { metadata } of all) expect(metadata.namespace).toBe('saleschannel');
  });

  test('only the published services are reachable from outside', () => {
    const paths = all
      .filter(({ kind }) => kind === 'Ingress')
      .flatMap(({ spec: { rules = [] } }) => rules)
      .flatMap(({ http }) => http.paths);
    expect(paths.map(({ backend }) => backend.service)).toEqual(
      services.filter(isPublished).map((name) => ({ name, port: { name: 'http' } })),
    );
  });
});
