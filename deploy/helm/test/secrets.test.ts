import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { migrationEnvironment } from '@saleschannel/database';
import {
  ADMIN,
  AUDITOR,
  databaseServices,
  environmentOf,
  programsWithKey,
  productionServices,
  readsVariable,
  sandboxServices,
  secretVariables,
  type ProgramName,
} from '@saleschannel/installation';
import { readEnvironment } from '@saleschannel/runtime';
import { runScript } from '../../installation/test/support/programs.ts';
import { exampleFile } from '../charts.ts';
import {
  listVariables,
  findObject,
  parseObjects,
  podOf,
  podEnvironment,
  type PodSpec,
  renderEverything,
  describeWithHelm,
} from './support/manifests.ts';

const GENERATOR = 'deploy/helm/generate-secrets.ts';
const servers = ['--database', 'db.example.org:5432', '--broker', 'mq.example.org:5671'];
const output = runScript(GENERATOR, ...servers);
const generated = parseObjects(output.stdout);

describe('the generated Secrets', () => {
  test('service keys rotate step by step, in the kept file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'saleschannel-helm-'));
    const file = join(folder, 'installation.json');
    const run = (...args: string[]) => runScript(GENERATOR, ...servers, '--save', file, ...args);
    const rotate = (...step: string[]) => run('--from', file, '--rotate', 'service-keys', ...step);
    const publicKeysIn = (text: string): number => {
      const known =
        findObject(parseObjects(text), 'ConfigMap', 'service-public-keys').data?.['SERVICE_PUBLIC_KEYS'] ?? '{}';
      return (JSON.parse(known) as { keys: unknown[] }).keys.length;
    };
    try {
      expect(run()).toMatchObject({ status: 0 });
      expect(run('--rotate', 'service-keys', '--step', 'prepare').stderr).toMatch(/^error: --rotate requires --from/);
      expect(rotate().stderr).toMatch(
        /^error: [^\n]*--step prepare, then switch, then finish[^\n]*\n\(Run with --help[^\n]*\n$/,
      );
      const counts = ['prepare', 'switch', 'finish'].map((step) => publicKeysIn(rotate('--step', step).stdout));
      expect(counts).toEqual([2 * programsWithKey.length, 2 * programsWithKey.length, programsWithKey.length]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('every program has a certificate, unless others issue them', () => {
    for (const program of programsWithKey) {
      const { type, stringData } = findObject(generated, 'Secret', `${program}-tls`);
      expect({ type, keys: Object.keys(stringData ?? {}).toSorted() }).toEqual({
        type: 'kubernetes.io/tls',
        keys: ['ca.crt', 'tls.crt', 'tls.key'],
      });
    }
    const without = parseObjects(runScript(GENERATOR, ...servers, '--without-certificates').stdout);
    expect(without.filter(({ metadata }) => metadata.name?.endsWith('-tls'))).toEqual([]);
  });

  test('servers have the given names, and use TLS by default', () => {
    const urlsIn = (text: string) => findObject(parseObjects(text), 'Secret', 'identity').stringData;
    expect(urlsIn(output.stdout)).toMatchObject({
      DATABASE_URL: expect.stringMatching(
        /^postgres:\/\/saleschannel_identity:[^@]+@db\.example\.org:5432\/\w+\?sslmode=verify-full$/,
      ) as unknown,
      AMQP_URL: expect.stringMatching(/^amqps:\/\/identity:[^@]+@mq\.example\.org:5671\/saleschannel$/) as unknown,
    });
    const plain = runScript(GENERATOR, ...servers, '--broker-plaintext', '--database-options', 'sslmode=disable');
    expect(urlsIn(plain.stdout)).toMatchObject({
      DATABASE_URL: expect.stringMatching(/\?sslmode=disable$/) as unknown,
      AMQP_URL: expect.stringMatching(/^amqp:/) as unknown,
    });
  });
});

test('the example for cert-manager creates a Secret with the right name for each program', () => {
  const objects = parseObjects(readFileSync(exampleFile('cert-manager.yaml'), 'utf8'));
  const certificates = objects.flatMap(({ spec }) => {
    const { secretName, dnsNames } = spec as { secretName?: string; dnsNames?: string[] };
    return dnsNames ? [{ secretName, dnsNames }] : [];
  });
  expect(certificates).toEqual(programsWithKey.map((name) => ({ secretName: `${name}-tls`, dnsNames: [name] })));
});

describeWithHelm('with the charts', (charts) => {
  const all = renderEverything(charts);
  const services = [...productionServices, ...sandboxServices].map(({ name }) => name);
  const pods: [ProgramName, PodSpec][] = [
    ...services.map((name): [ProgramName, PodSpec] => [name, podOf(findObject(all, 'Deployment', name))]),
    [AUDITOR, podOf(findObject(all, 'CronJob', AUDITOR))],
    [ADMIN, podOf(findObject(all, 'Job', undefined))],
  ];

  test.each(pods)('%s starts', (name, pod) => {
    expect(() => readEnvironment(environmentOf(name), podEnvironment(pod, generated))).not.toThrow();
  });

  test.each(databaseServices)('the migration of %s starts', (name) => {
    const pod = podOf(findObject(all, 'Job', `migrate-${name}`));
    expect(() => readEnvironment(migrationEnvironment, podEnvironment(pod, generated))).not.toThrow();
  });

  test.each(pods)('%s has its secrets, and only them, as files of its own Secret', (name, pod) => {
    const secrets = listVariables(pod).filter(({ from }) => from?.kind === 'Secret');
    expect(secrets.map((given) => given.name)).toEqual(
      Object.keys(environmentOf(name)).filter((variable) => secretVariables.has(variable)),
    );
    for (const { name: variable, from } of secrets) expect(from).toEqual({ kind: 'Secret', name, key: variable });
    const held = Object.keys(findObject(generated, 'Secret', name).stringData ?? {});
    expect(held.filter((variable) => !readsVariable(name, variable))).toEqual([]);
    // As files with a mode, and not in the pod's description.
    for (const { projected } of pod.volumes ?? []) expect(projected?.defaultMode ?? 0o440).toBe(0o440);
  });

  test('a secret can be read from another Secret under another key', () => {
    const options = ['--set', 'secrets.DATABASE_URL.name=inventory-db-app,secrets.DATABASE_URL.key=uri'];
    const objects = parseObjects(charts.render('services/inventory', ['examples/values-production.yaml'], ...options));
    const given = listVariables(podOf(findObject(objects, 'Deployment', 'inventory')));
    const from = (name: string) => given.find((each) => each.name === name)?.from;
    expect(from('DATABASE_URL')).toEqual({ kind: 'Secret', name: 'inventory-db-app', key: 'uri' });
    expect(from('AMQP_URL')).toEqual({ kind: 'Secret', name: 'inventory', key: 'AMQP_URL' });
  });
});
