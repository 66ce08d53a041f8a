import { expect, test } from '@jest/globals';
import { umbrella, units } from '../units.ts';
import { Workspace } from './support/workspace.ts';

/** A workspace whose current state is released. */
function released(): Workspace {
  const workspace = Workspace.make();
  for (const { name, folder } of [...units, umbrella]) {
    workspace.git('tag', '--annotate', `${name}@${workspace.version(folder)}`, '--message', name);
  }
  return workspace;
}

const FIRST_LINE = /^.*\n/;

function change(workspace: Workspace, file: string): void {
  const [line = ''] = FIRST_LINE.exec(workspace.read(file)) ?? [];
  workspace.replace(file, line, `${line}// Changed.\n`);
}

const stepped = (version: string, step: 'minor' | 'patch'): string => {
  const [major, minor, patch] = version.split('.').map(Number) as [number, number, number];
  return step === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
};

test('a release raises changed units and their dependents, each with its own version', () => {
  using workspace = released();
  const all = [...units, umbrella];
  const before = Object.fromEntries(all.map(({ name, folder }) => [name, workspace.version(folder)]));
  change(workspace, 'apps/traders/src/app.ts');
  change(workspace, 'libs/edge/src/pages/index.ts');
  workspace.commit('Pages remember more');

  const refused = workspace.run('release');
  expect(refused.output).toContain('traders: its sources changed without a version plan');
  expect(refused.status).toBe(1);

  const plan = workspace.run('release', 'plan', 'minor', 'Traders have a colour.', 'traders');
  expect(plan).toMatchObject({ status: 0, stdout: '.nx/version-plans/traders-traders-have-a-colour.md\n' });
  workspace.commit('Plan a release of traders');
  const ended = workspace.run('release');
  expect(ended).toMatchObject({ status: 0 });

  // Only these depend on the library "edge".
  const expected = {
    traders: stepped(before.traders as string, 'minor'),
    portal: stepped(before.portal as string, 'patch'),
    console: stepped(before.console as string, 'patch'),
    gateway: stepped(before.gateway as string, 'patch'),
    admin: stepped(before.admin as string, 'patch'),
    // It hosts all services.
    'all-in-one': stepped(before['all-in-one'] as string, 'patch'),
    // The umbrella contains all units.
    saleschannel: stepped(before.saleschannel as string, 'minor'),
  };
  const now = Object.fromEntries(all.map(({ name, folder }) => [name, workspace.version(folder)]));
  expect(now).toEqual({ ...before, ...expected });
  const tags = workspace.git('tag', '--points-at', 'HEAD').split('\n');
  expect(tags.toSorted()).toEqual(
    Object.entries(expected)
      .map(([name, version]) => `${name}@${version}`)
      .toSorted(),
  );
  expect(workspace.read('apps/traders/CHANGELOG.md')).toMatch(/^## .*\n\n### Added\n\n- Traders have a colour\.(\n|$)/);
  expect(workspace.read('apps/portal/CHANGELOG.md')).toMatch(
    /^## .*\n\n### Changed\n\n- Dependencies changed: edge\n {2}- Pages remember more(\n|$)/,
  );
  const lock = JSON.parse(workspace.read('package-lock.json')) as { packages: Record<string, { version: string }> };
  expect(lock.packages['apps/traders']?.version).toBe(expected.traders);
  expect(JSON.parse(workspace.read('released/traders.json'))).toMatchObject({ version: expected.traders });
  expect(workspace.has('.nx/version-plans/traders-traders-have-a-colour.md')).toBe(false);
  expect(workspace.git('status', '--porcelain')).toBe('');
  const chartVersion = `\nversion: ${expected.saleschannel}\n`;
  expect(workspace.read('deploy/helm/saleschannel/Chart.yaml')).toContain(chartVersion);
  expect(workspace.read('deploy/helm/installation/Chart.yaml')).toContain(chartVersion);
  expect(workspace.read('deploy/compose/versions.env')).toContain(`\nTRADERS_VERSION=${expected.traders}\n`);

  const names = (...args: string[]): string[] =>
    (JSON.parse(workspace.run('release', 'list', ...args).stdout) as { name: string }[]).map(({ name }) => name);
  const raised = Object.keys(expected);
  expect(names().toSorted()).toEqual(raised.toSorted());
  expect(JSON.parse(workspace.run('release', 'list').stdout)).toContainEqual({
    name: 'traders',
    version: expected.traders,
    tag: `traders@${expected.traders}`,
    kind: 'program',
    folder: 'apps/traders',
  });
  // GitHub starts no workflow for four tags at once, and a run may fail. The next push still finds the tags.
  change(workspace, 'README.md');
  workspace.commit('Go on');
  expect(names()).toEqual([]);
  const published = all.map(({ name }) => `${name}@${before[name]}`);
  workspace.write('.git/published', [...published, `portal@${expected.portal}`].join('\n'));
  const others = raised.filter((name) => name !== 'portal');
  expect(names('--published', '.git/published').toSorted()).toEqual(others.toSorted());
});

test('a first release tags the current versions, and a dry run changes nothing', () => {
  using workspace = Workspace.make();
  const head = workspace.git('rev-parse', 'HEAD');
  const dry = workspace.run('release', '--dry-run');
  expect(dry).toMatchObject({ status: 0 });
  expect(dry.output).toContain('traders: first tag traders@');
  expect(dry.output).toContain('saleschannel: first tag saleschannel@');
  expect(workspace.tags()).toEqual([]);
  expect(workspace.git('rev-parse', 'HEAD')).toBe(head);
  expect(workspace.git('status', '--porcelain')).toBe('');
});

test('a release refuses uncommitted changes', () => {
  using workspace = released();
  change(workspace, 'apps/traders/src/app.ts');
  const { status, output } = workspace.run('release');
  expect(output).toContain('Commit your changes first.');
  expect(status).toBe(1);
});
