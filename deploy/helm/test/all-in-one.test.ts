import { expect, test } from '@jest/globals';
import { createAllInOne } from '@saleschannel/all-in-one';
import { LIVENESS } from '@saleschannel/grpc';
import {
  ADMIN,
  addressVariable,
  ALL_IN_ONE,
  AUDITOR,
  calleesOf,
  databaseServices,
  environmentOf,
  grpcServices,
  hostedServices,
  ports,
  type ProgramName,
} from '@saleschannel/installation';
import { catchFailure } from '@saleschannel/testing';
import { readHostedValues, toHostedVariable, readEnvironment } from '@saleschannel/runtime';
import { runScript } from '../../installation/test/support/programs.ts';
import {
  listVariables,
  namesOfPeers,
  findObject,
  parseObjects,
  podOf,
  podEnvironment,
  type PodSpec,
  describeWithHelm,
} from './support/manifests.ts';

const VALUES = 'examples/values-all-in-one.yaml';
const servers = ['--database', 'db.example.org:5432', '--broker', 'mq.example.org:5671'];
const secrets = parseObjects(runScript('deploy/helm/generate-secrets.ts', ...servers).stdout);

describeWithHelm('one process in place of the services that always run', (charts) => {
  const everything = ['--set', 'sandbox.enabled=true,admin.args={list-sales-channels}'];
  const render = (...options: string[]) => parseObjects(charts.render('saleschannel', [VALUES], ...options));
  const all = render(...everything);
  const separate = render(...everything, '--set', 'global.allInOne=false');
  const namesOf = (objects: typeof all, kind: string) =>
    objects.flatMap((object) => (object.kind === kind ? [object.metadata.name] : [])).toSorted();
  const pod = podOf(findObject(all, 'Deployment', ALL_IN_ONE));
  const [container] = pod.containers;
  const seen = podEnvironment(pod, secrets);
  const policy = findObject(all, 'NetworkPolicy', ALL_IN_ONE).spec;

  test('replaces the hosted services, with its migrations and routes', () => {
    expect(namesOf(all, 'Deployment')).toEqual([ALL_IN_ONE, 'console', 'sandbox']);
    expect(namesOf(separate, 'Deployment')).toEqual([...hostedServices, 'console', 'sandbox'].toSorted());
    expect(namesOf(all, 'Job')).toEqual([`migrate-${ALL_IN_ONE}`, undefined]);
    expect(namesOf(all, 'Service')).toEqual([ALL_IN_ONE, 'console', 'gateway', 'portal', 'sandbox']);
    const names = [ADMIN, ALL_IN_ONE, AUDITOR, 'console', 'default-deny', `migrate-${ALL_IN_ONE}`, 'sandbox'];
    expect(namesOf(all, 'NetworkPolicy')).toEqual(names.toSorted());
  });

  test('each hosted service reads the same variables as in its own pod, except gRPC addresses', async () => {
    const { environment, migration } = await createAllInOne(hostedServices);
    const values = readEnvironment(environment, seen);
    const inside = new Set(hostedServices.map(addressVariable));
    // Certificates are in other files with the same content.
    const compared = (variables: object): object =>
      Object.fromEntries(
        Object.entries(variables).filter(
          ([name]) => name !== 'GRPC_PORT' && !name.startsWith('GRPC_TLS_') && !inside.has(name),
        ),
      );
    for (const name of hostedServices) {
      const alone = readEnvironment(
        environmentOf(name),
        podEnvironment(podOf(findObject(separate, 'Deployment', name)), secrets),
      );
      const own = readHostedValues(name, values);
      expect({ name, ...compared(own) }).toEqual({ name, ...compared(alone) });
      if ('GRPC_TLS_KEY_FILE' in own)
        expect(own['GRPC_TLS_KEY_FILE']).toBe(`/var/run/secrets/saleschannel/tls/${name}-tls/tls.key`);
    }
    const job = podEnvironment(podOf(findObject(all, 'Job', `migrate-${ALL_IN_ONE}`)), secrets);
    const migrations = readEnvironment(migration?.environment ?? {}, job);
    for (const name of databaseServices) {
      const alone = podEnvironment(podOf(findObject(separate, 'Job', `migrate-${name}`)), secrets);
      expect(readHostedValues(name, migrations)).toMatchObject(alone);
    }
  });

  test('has the secrets of the hosted services only, from their Secrets', () => {
    const from = (pods: readonly PodSpec[]) =>
      pods.flatMap((each) => listVariables(each).flatMap((given) => (given.from ? [given.from] : [])));
    const texts = (references: readonly object[]): string[] => [
      ...new Set(references.map((reference) => JSON.stringify(reference))),
    ];
    const alone = hostedServices.map((name) => podOf(findObject(separate, 'Deployment', name)));
    expect(texts(from([pod])).toSorted()).toEqual(texts(from(alone)).toSorted());
    const tls = pod.volumes?.find(({ name }) => name === 'tls')?.projected;
    expect(tls?.defaultMode).toBe(0o440);
    expect(tls?.sources.map(({ secret }) => secret.name)).toEqual(hostedServices.map((name) => `${name}-tls`));
  });

  test('has replicas with a budget, minimal rights, and probes that tolerate outages', () => {
    expect(findObject(all, 'Deployment', ALL_IN_ONE).spec.replicas).toBe(2);
    expect(findObject(all, 'PodDisruptionBudget', ALL_IN_ONE).spec.selector.matchLabels).toMatchObject({
      'app.kubernetes.io/name': ALL_IN_ONE,
    });
    expect(namesOf(render('--set', 'global.replicas=1'), 'PodDisruptionBudget')).toEqual([]);
    expect(container.args).toEqual(['serve', '--services', hostedServices.join()]);
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    const alive = { grpc: { port: ports.health, service: LIVENESS } };
    expect(container).toMatchObject({ livenessProbe: alive, readinessProbe: alive });
    expect(container.startupProbe?.grpc).toEqual({ port: ports.health });
    expect(seen).toMatchObject({ GRPC_HEALTH_PORT: String(ports.health), METRICS_PORT: String(ports.metrics) });
  });

  test('is reachable for other programs under their expected names', () => {
    const port = Object.fromEntries((container.ports ?? []).map((each) => [each.name, each.containerPort]));
    for (const name of ['gateway', 'portal']) {
      expect(seen[`${name.toUpperCase()}_PORT`]).toBe(String(port[name]));
      expect(findObject(all, 'Service', name).spec).toEqual({
        ports: [{ name: 'http', port: 80, targetPort: name }],
        selector: findObject(all, 'Deployment', ALL_IN_ONE).spec.selector.matchLabels,
      });
    }
    const reached = grpcServices.filter((name) => hostedServices.includes(name));
    for (const name of reached) expect(seen[toHostedVariable(name, 'GRPC_PORT')]).toBe(String(port[name]));
    expect(findObject(all, 'Service', ALL_IN_ONE).spec).toMatchObject({
      clusterIP: 'None',
      ports: reached.map((name) => ({ name, port: port[name], targetPort: name })),
    });
    const [outside, asking, calling] = policy.ingress ?? [];
    expect(outside?.ports).toEqual([{ port: 'gateway' }, { port: 'portal' }]);
    expect({ from: namesOfPeers(asking?.from ?? []), ports: asking?.ports }).toEqual({
      from: [ALL_IN_ONE, 'sandbox'],
      ports: [{ port: 'gateway' }],
    });
    expect({ from: namesOfPeers(calling?.from ?? []), ports: calling?.ports }).toEqual({
      from: [ADMIN, 'console', 'sandbox'],
      ports: reached.map((name) => ({ port: name })),
    });
  });

  test.each([ADMIN, 'console', 'sandbox'] as ProgramName[])('is called by %s', (name) => {
    const caller = podOf(name === ADMIN ? findObject(all, 'Job', undefined) : findObject(all, 'Deployment', name));
    const addresses = calleesOf(name).map((callee) => podEnvironment(caller, secrets)[addressVariable(callee)]);
    const expected = calleesOf(name).map((callee) => Number(seen[toHostedVariable(callee, 'GRPC_PORT')]));
    expect(addresses).toEqual(expected.map((port) => `${ALL_IN_ONE}:${port}`));
    const { egress = [], ingress = [] } = findObject(all, 'NetworkPolicy', name).spec;
    const peers = egress.filter(({ to = [] }) => namesOfPeers(to).length > 0);
    expect(peers.map(({ to = [], ports: open }) => [namesOfPeers(to), open?.map((each) => each.port)])).toEqual([
      ...(name === 'sandbox' ? [[[ALL_IN_ONE], [ports.gateway]]] : []),
      [[ALL_IN_ONE], expected],
    ]);
    if (name === 'sandbox') expect(namesOfPeers(ingress[0]?.from ?? [])).toContain(ALL_IN_ONE);
  });

  test('its settings are those of the hosted services, and others are refused', async () => {
    const refused = await catchFailure(
      Promise.resolve().then(() => render('--set-string', 'all-in-one.settings.CONSOLE_OPERATORS=x')),
    );
    expect(String((refused as { stderr?: unknown }).stderr)).toContain("'CONSOLE_OPERATORS' not allowed");
    const changed = render('--set-string', 'all-in-one.settings.REGISTRY_PORT=8081');
    const registry = { name: 'registry', containerPort: 8081 };
    expect(podOf(findObject(changed, 'Deployment', ALL_IN_ONE)).containers[0].ports).toContainEqual(registry);
    expect(findObject(changed, 'NetworkPolicy', ALL_IN_ONE).spec.ingress?.[0]?.ports).toContainEqual({
      port: 'registry',
    });
    expect(findObject(changed, 'Service', 'gateway').spec.ports).toContainEqual({
      name: 'registry',
      port: 8081,
      targetPort: 'registry',
    });
  });
});
