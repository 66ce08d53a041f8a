import { describe, expect, test } from '@jest/globals';
import { catchFailure } from '@saleschannel/testing';
import { findFaults, schemaIds } from '../validate.ts';
import { findObject, parseObjects, podOf, PRODUCTION, describeWithHelm } from './support/manifests.ts';

describeWithHelm('values', (charts) => {
  const whole = charts.render('saleschannel', [PRODUCTION]);
  const rendered = (chart: string, ...options: string[]) =>
    parseObjects(charts.render(chart, [PRODUCTION], ...options));
  const refusal = async (chart: string, values: readonly string[], ...options: string[]): Promise<string> => {
    const failure = await catchFailure(Promise.resolve().then(() => charts.render(chart, values, ...options)));
    return String((failure as { stderr?: unknown }).stderr);
  };
  const set = (...assignments: string[]): string[] =>
    assignments.flatMap((each) => [each.endsWith('=[]') ? '--set-json' : '--set', each]);

  test('without an issuer or an address of the portal nothing is rendered', async () => {
    const refused = await refusal('saleschannel', []);
    expect(refused).toContain(
      "identity:\n- at '/global': 'allOf' failed\n  - at '/global/settings': missing property 'OIDC_ISSUER'",
    );
    expect(refused).toContain("missing properties 'PORTAL_URL', 'OIDC_ISSUER'");
    expect(await refusal('services/identity', [])).toContain("missing property 'OIDC_ISSUER'");
  });

  test.each([
    ['an unknown setting', 'global.settings.OIDC_ISUER=x', "additional properties 'OIDC_ISUER' not allowed"],
    [
      'a setting of another service',
      'settings.TRUSTED_PROXIES=x',
      "additional properties 'TRUSTED_PROXIES' not allowed",
    ],
    ['a number, which Helm would write as 3e+07', 'settings.RECONCILE_SECONDS=30000000', 'got number, want string'],
    ['an unknown value', 'replcas=3', "additional properties 'replcas' not allowed"],
    ['an incomplete digest', 'image.digest=sha256:abc', 'does not match pattern'],
    ['an empty list of peers, which would allow all', 'global.network.database.to=[]', 'minItems: got 0, want 1'],
    ['a peer with a misspelt selector', 'global.network.issuer.to[0].podSelecter=x', "'podSelecter' not allowed"],
  ])('%s is refused', async (_what, assignment, words) => {
    expect(await refusal('services/inventory', [PRODUCTION], ...set(assignment))).toContain(words);
  });

  test('a proxy without an address is refused, because the gateway would not start', async () => {
    const assignment = set('global.settings.BEHIND_PROXY=yes');
    expect(await refusal('services/gateway', ['examples/values-dev.yaml'], ...assignment)).toContain(
      "missing property 'TRUSTED_PROXIES'",
    );
  });

  test('a service renders the same alone and in the umbrella', () => {
    const inUmbrella = parseObjects(whole).filter(
      ({ metadata }) => metadata.labels?.['helm.sh/chart'] === 'inventory-0.1.0',
    );
    const sorted = (objects: readonly object[]): string[] => objects.map((object) => JSON.stringify(object)).toSorted();
    expect(sorted(rendered('services/inventory'))).toEqual(sorted(inUmbrella));
  });

  test('a setting of a service overrides the global one, and restarts only its readers', () => {
    const before = rendered('saleschannel');
    const after = rendered(
      'saleschannel',
      '--set-string',
      'global.settings.DATABASE_POOL_MAX=7,tasks.settings.DATABASE_POOL_MAX=9',
    );
    const poolIn = (name: string) =>
      podOf(findObject(after, 'Deployment', name)).containers[0].env.find((each) => each.name === 'DATABASE_POOL_MAX')
        ?.value;
    expect([poolIn('rbac'), poolIn('tasks'), poolIn('portal')]).toEqual(['7', '9', undefined]);
    const template = (objects: typeof before, name: string) =>
      JSON.stringify(findObject(objects, 'Deployment', name).spec.template);
    for (const [name, isTouched] of [
      ['rbac', true],
      ['tasks', true],
      ['portal', false],
      ['gateway', false],
    ] as const)
      expect([name, template(before, name) !== template(after, name)]).toEqual([name, isTouched]);
  });

  test('a new version of secrets restarts their readers, and Reloader knows what to watch', () => {
    const [changed] = rendered('services/inventory', ...set('global.secretsVersion=v2', 'global.reloader=true')).filter(
      ({ kind }) => kind === 'Deployment',
    );
    expect(changed?.spec.template.metadata.annotations).toMatchObject({ 'saleschannel/secrets-version': 'v2' });
    expect(changed?.metadata.annotations).toEqual({
      'secret.reloader.stakater.com/reload': 'inventory,database-ca,broker-ca',
      'configmap.reloader.stakater.com/reload': 'service-public-keys',
    });
  });

  test('the port of the registry API is set everywhere', () => {
    const objects = rendered('services/gateway', '--set-string', 'settings.REGISTRY_PORT=8081');
    expect(podOf(findObject(objects, 'Deployment', 'gateway')).containers[0].ports).toContainEqual({
      name: 'registry',
      containerPort: 8081,
    });
    expect(findObject(objects, 'Service', 'gateway').spec.ports).toContainEqual({
      name: 'registry',
      port: 8081,
      targetPort: 'registry',
    });
    expect(findObject(objects, 'NetworkPolicy', 'gateway').spec.ingress?.[0]?.ports).toEqual([
      { port: 'http' },
      { port: 'registry' },
    ]);
  });

  test('the auditor keeps heads in another file, on another claim, or nowhere', () => {
    const podWith = (...assignments: string[]) =>
      podOf(findObject(rendered('services/auditor', ...set(...assignments)), 'CronJob', 'auditor'));
    const other = podWith('anchors.claim=elsewhere', 'anchors.file=heads-2.jsonl');
    expect(other.containers[0].args).toEqual(['--json', '--anchors', '/anchors/heads-2.jsonl']);
    expect(other.volumes).toContainEqual({ name: 'anchors', persistentVolumeClaim: { claimName: 'elsewhere' } });
    const none = podWith('anchors.by=nothing');
    expect(none.containers[0].args).toEqual(['--json']);
    expect(JSON.stringify(none)).not.toContain('anchors');
  });

  test('webhooks derives the names and URLs of the installation unless they are set', () => {
    const hostsWith = (...assignments: string[]) =>
      podOf(
        findObject(rendered('services/webhooks', ...set(...assignments)), 'Deployment', 'webhooks'),
      ).containers[0].env.find(({ name }) => name === 'WEBHOOK_OWN_HOSTS')?.value;
    const known = 'api.example.org,portal.example.org,https://portal.example.org';
    expect(hostsWith()).toBe(known);
    expect(hostsWith('global.settings.CONSOLE_URL=https://ops.example.org')).toBe(`${known},https://ops.example.org`);
    expect(hostsWith('settings.WEBHOOK_OWN_HOSTS=other.example.org')).toBe('other.example.org');
  });

  test('the resolver may run on the node, and the issuer may use another port than 443', () => {
    const objects = rendered(
      'services/identity',
      ...set('global.network.dns.nodeLocalAddress=169.254.20.10', 'global.network.issuer.ports={8443}'),
    );
    const rules = findObject(objects, 'NetworkPolicy', 'identity').spec.egress ?? [];
    expect(rules[0]?.to).toContainEqual({ ipBlock: { cidr: '169.254.20.10/32' } });
    expect(rules.map(({ ports }) => ports?.[0]?.port)).toContain(8443);
  });

  test('the Gateway API has two routes instead of two Ingresses', () => {
    const objects = rendered(
      'installation',
      ...set('global.publish.by=gateway', 'global.publish.gateway.parents[0].name=public'),
    );
    expect(
      objects.flatMap(({ kind, metadata }) => (/Route|Ingress/.test(kind) ? [`${kind} ${metadata.name}`] : [])),
    ).toEqual(['HTTPRoute gateway', 'HTTPRoute portal']);
    expect(
      findFaults(
        charts.render(
          'installation',
          [PRODUCTION],
          ...set('global.publish.by=gateway', 'global.publish.gateway.parents[0].name=public'),
        ),
      ),
    ).toEqual([]);
  });

  test('a single replica has no budget, which would block draining its node', () => {
    const kinds = parseObjects(charts.render('saleschannel', ['examples/values-dev.yaml'])).map(({ kind }) => kind);
    expect(kinds).toContain('Deployment');
    expect(kinds).not.toContain('PodDisruptionBudget');
  });

  test('unknown fields are faults at any depth', () => {
    expect(findFaults(whole)).toEqual([]);
    const broken = whole
      .replace('readOnlyRootFilesystem:', 'readOnlyRootFileSystem:')
      .replace('averageUtilization:', 'averageUtilisation:')
      .replace('podMetricsEndpoints:', 'podMetricEndpoints:')
      .replace('policy/v1', 'policy/v1beta1');
    const faults = findFaults(broken).join('\n');
    for (const words of [
      'readOnlyRootFileSystem',
      'averageUtilisation',
      'podMetricEndpoints',
      'no schema of policy/v1beta1',
    ])
      expect(faults).toContain(words);
  });
});

describe('schemas', () => {
  test('schemas of all kinds compile', () => {
    const ids = schemaIds();
    expect(ids).toContain('monitoring.coreos.com/v1/PrometheusRule');
    for (const id of ids) {
      const [kind = '', ...version] = id.split('/').toReversed();
      const object = `apiVersion: ${version.toReversed().join('/')}\nkind: ${kind}\nmetadata: { name: a }\nnonsense: 1`;
      expect(findFaults(object).join()).toContain('must NOT have additional properties: nonsense');
    }
  });

  test('an unknown kind, a wrong type and a duplicate are faults', () => {
    expect(findFaults('apiVersion: v1\nkind: Podd\nmetadata: { name: a }')[0]).toContain('no schema of v1/Podd');
    expect(findFaults('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { b: 1 }')[0]).toContain(
      '/data/b must be string',
    );
    const twice = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';
    expect(findFaults(`${twice}---\n${twice}`)).toEqual(['v1/ConfigMap a occurs twice']);
  });
});
