import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readEnvironment } from '@saleschannel/runtime';
import { projectRoot } from '../src/paths.ts';
import { addressVariable, brokerServices, databaseServices } from '../src/services.ts';
import {
  givenTo,
  only,
  parseObjects,
  readKustomization,
  type Given,
  type KubernetesObject,
  type PodSpec,
} from './manifests.ts';
import {
  ADMIN,
  calledBy,
  callersOf,
  environmentOf,
  isInstalled,
  ISSUER,
  jobs,
  METRICS_PORT,
  NAMESPACE,
  production,
  required,
  run,
  secretNames,
  withoutGrpc,
} from './deployment-facts.ts';

describe('Kubernetes', () => {
  const base = readKustomization('base');
  const migrations = readKustomization('migrations');
  const config = readKustomization('config');
  let generated: KubernetesObject[] = [];
  beforeAll(() => {
    const made = run(process.execPath, [
      join(projectRoot, 'deploy/k8s/generate-secrets.ts'),
      '--database',
      'db.example.org:5432',
      '--broker',
      'mq.example.org:5671',
      '--broker-tls',
    ]);
    if (made.status !== 0) throw new Error(made.stderr);
    generated = parseObjects(made.stdout);
  });

  const podOf = (name: string): PodSpec => only(base, 'Deployment', name).spec.template.spec;
  const admin = parseObjects(readFileSync(join(projectRoot, 'deploy/k8s/examples/admin.yaml'), 'utf8'))[0]?.spec
    .template.spec as PodSpec;
  const pods: [string, PodSpec][] = [
    ...production.map(({ name }): [string, PodSpec] => [name, podOf(name)]),
    ...databaseServices.map((name): [string, PodSpec] => [
      name,
      only(migrations, 'Job', `migrate-${name}`).spec.template.spec,
    ]),
    [ADMIN, admin],
  ];

  /** What the process would see, with an issuer set and the generated Secrets applied. */
  function valueOf(given: Given): string | undefined {
    if (!given.from) return given.value;
    const { kind, name, key, optional } = given.from;
    const object = only([...config, ...generated], kind, name);
    const value = kind === 'Secret' ? object.stringData?.[key] : object.data?.[key];
    if (value === undefined && !optional) throw new Error(`${kind} ${name} has no key ${key}`);
    return key === 'OIDC_ISSUER' ? ISSUER : value;
  }

  test('has a Deployment, Service, budget, policy and account per service, and a migration per database', () => {
    const expected = production.map(({ name }) => name).toSorted();
    for (const kind of ['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy', 'ServiceAccount']) {
      expect(
        base
          .filter((object) => object.kind === kind)
          .map(({ metadata }) => metadata.name)
          .toSorted(),
      ).toEqual(expected);
    }
    expect(
      migrations
        .filter(({ kind }) => kind === 'Job')
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    ).toEqual(jobs.toSorted());
    expect(readdirSync(join(projectRoot, 'deploy/k8s/base')).length).toBe(expected.length + 1);
  });

  test.each(pods)('%s is given what it reads, all that it needs, and nothing else', (name, pod) => {
    const environment = environmentOf(name);
    const given = givenTo(pod.containers[0]);
    expect(given.map((each) => each.name).filter((variable) => !(variable in environment))).toEqual([]);
    expect(required(environment).filter((variable) => !given.some((each) => each.name === variable))).toEqual([]);
    const seen = Object.fromEntries(given.map((each) => [each.name, valueOf(each)]));
    expect(() => readEnvironment(environment, seen)).not.toThrow();
  });

  test.each(pods)('%s has its secrets, and only them, from its own Secret', (name, pod) => {
    for (const { name: variable, from } of givenTo(pod.containers[0])) {
      expect(from?.kind === 'Secret').toBe(secretNames.has(variable));
      if (from?.kind === 'Secret') expect(from).toEqual({ kind: 'Secret', name, key: variable, optional: false });
    }
    const held = Object.keys(only(generated, 'Secret', name).stringData ?? {});
    expect(held.filter((variable) => !(variable in environmentOf(name)))).toEqual([]);
  });

  test.each(pods)('%s runs without rights, with limits', (_name, pod) => {
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

  test.each(databaseServices)('the migration of %s has what the service has', (name) => {
    const job = only(migrations, 'Job', `migrate-${name}`).spec.template.spec;
    expect(job.restartPolicy).toBe('Never');
    expect(job.containers[0]).toMatchObject({ args: ['migrate'], image: podOf(name).containers[0].image });
    expect(givenTo(job.containers[0])).toEqual(givenTo(podOf(name).containers[0]));
  });

  test.each(production.map(({ name }) => name))('%s: ports, probes, addresses and selectors agree', (name) => {
    const deployment = only(base, 'Deployment', name);
    const service = only(base, 'Service', name);
    const [container] = podOf(name).containers;
    const { labels, annotations } = deployment.spec.template.metadata;
    const port = Object.fromEntries((container.ports ?? []).map((each) => [each.name, each.containerPort]));
    const values = Object.fromEntries(givenTo(container).map((each) => [each.name, each.value]));
    expect(container).toMatchObject({ args: ['serve'], image: `saleschannel/${name}` });
    expect(deployment.spec.replicas).toBe(2);
    for (const selector of [
      deployment.spec.selector.matchLabels,
      service.spec.selector,
      only(base, 'PodDisruptionBudget', name).spec.selector.matchLabels,
      only(base, 'NetworkPolicy', name).spec.podSelector.matchLabels ?? {},
    ]) {
      expect(labels).toMatchObject(selector);
    }
    expect(values).toMatchObject({ METRICS_HOST: '0.0.0.0', METRICS_PORT });
    expect(annotations).toMatchObject({ 'prometheus.io/scrape': 'true', 'prometheus.io/port': METRICS_PORT });
    expect(port['metrics']).toBe(Number(METRICS_PORT));
    // Longer than the pause before the stop and the 25 s that a service takes at most.
    expect(podOf(name).terminationGracePeriodSeconds).toBeGreaterThan(30);
    if (withoutGrpc.has(name)) {
      expect(values).toMatchObject({ GATEWAY_HOST: '0.0.0.0', GATEWAY_PORT: String(port['http']) });
      expect(container).toMatchObject({
        livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
      });
      expect(service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
    } else {
      expect(values).toMatchObject({ GRPC_HOST: '0.0.0.0', GRPC_PORT: String(port['grpc']) });
      const probe = { grpc: { port: port['grpc'] } };
      expect(container).toMatchObject({ startupProbe: probe, livenessProbe: probe, readinessProbe: probe });
      expect(service.spec).toMatchObject({
        clusterIP: 'None',
        ports: [{ name: 'grpc', port: port['grpc'], targetPort: 'grpc' }],
      });
    }
    for (const other of calledBy(name))
      expect(values[addressVariable(other)]).toBe(`${other}:${only(base, 'Service', other).spec.ports[0]?.port}`);
  });

  test.each(production.map(({ name }) => name))(
    '%s talks to those that it calls and is talked to by those that call it',
    (name) => {
      const { spec } = only(base, 'NetworkPolicy', name);
      const named = (peers: { podSelector?: { matchLabels: Record<string, string> } }[]): string[] =>
        peers.flatMap(({ podSelector }) => podSelector?.matchLabels['app.kubernetes.io/name'] ?? []).toSorted();
      expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
      expect(named((spec.egress ?? []).flatMap(({ to }) => to ?? []))).toEqual(calledBy(name).toSorted());
      const ports = (spec.egress ?? []).flatMap((rule) => (rule.to ? [] : (rule.ports ?? []))).map(({ port }) => port);
      expect(ports.includes(5432)).toBe(databaseServices.includes(name));
      expect(ports.includes(5672)).toBe(brokerServices.includes(name));
      expect(ports.includes(443)).toBe(name === 'identity');
      const [door, metrics] = spec.ingress ?? [];
      expect(metrics?.ports).toEqual([{ port: 'metrics' }]);
      if (name === 'gateway') expect(door).toEqual({ from: [{ namespaceSelector: {} }], ports: [{ port: 'http' }] });
      else
        expect({ from: named(door?.from ?? []), ports: door?.ports, peers: door?.from?.length }).toEqual({
          from: callersOf(name).toSorted(),
          ports: [{ port: 'grpc' }],
          peers: callersOf(name).length,
        });
    },
  );

  test('lets nothing through that no policy names, and holds no secret', () => {
    expect(only(config, 'NetworkPolicy', 'default-deny').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    expect([...base, ...migrations, ...config].filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(only(config, 'Namespace', NAMESPACE).metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
  });

  (isInstalled('kubectl') ? test : test.skip)(
    'is put together by kustomize (skipped where kubectl is not installed)',
    () => {
      for (const folder of ['config', 'migrations', 'base', 'examples/production']) {
        const { status, stdout, stderr } = run('kubectl', ['kustomize', `deploy/k8s/${folder}`]);
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
        for (const { kind, metadata } of parseObjects(stdout) as { kind: string; metadata: { namespace?: string } }[]) {
          if (kind !== 'Namespace') expect(metadata.namespace).toBe(NAMESPACE);
        }
      }
    },
  );
});
