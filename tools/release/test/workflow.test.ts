import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { umbrella, units } from '../units.ts';

interface Job {
  readonly if?: string;
  readonly needs?: string | string[];
  readonly strategy?: { readonly matrix: { readonly unit: string } };
  readonly outputs?: Record<string, string>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: Record<string, string> }[];
}

const root = join(import.meta.dirname, '../../..');
const workflow = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')) as {
  on: Record<string, { branches?: string[]; tags?: string[] } | null>;
  jobs: Record<string, Job>;
};
const textOf = ({ steps }: Job): string => steps.map(({ run }) => run ?? '').join('\n');
const job = (name: string): Job => {
  const found = workflow.jobs[name];
  if (!found) throw new Error(`release.yml has no job ${name}`);
  return found;
};

test('a push to main starts a release, since GitHub creates no event for more than three tags', () => {
  expect(workflow.on).toEqual({ push: { branches: ['main'] }, workflow_dispatch: null });
});

test('each kind of unpublished unit is built in a job of its own', () => {
  const { outputs = {} } = job('what');
  expect(textOf(job('what'))).toContain('npm run -s release -- list --published published');
  const kinds = new Set([...units, umbrella].map(({ kind }) => kind));
  expect(kinds).toEqual(new Set(['program', 'package', 'charts']));
  const matrices = { program: 'image', package: 'package', charts: 'charts' };
  for (const [kind, name] of Object.entries(matrices)) {
    const output = kind === 'charts' ? kind : `${kind}s`;
    expect(outputs).toHaveProperty(output);
    expect(textOf(job('what'))).toContain(`${output} "$(of ${kind})"`);
    expect(job(name).strategy?.matrix.unit).toBe(`\${{ fromJSON(needs.what.outputs.${output}) }}`);
    expect(job(name).steps[0]?.with).toMatchObject({ ref: 'refs/tags/${{ matrix.unit.tag }}' });
    // The job "notes" makes a release of this artifact, by which the next run recognizes it.
    expect(job(name).steps.at(-1)?.with?.['name']).toBe('release-${{ matrix.unit.tag }}');
  }
  expect(textOf(job('notes'))).toContain('gh release create "$tag"');
});

test('the umbrella and "installation" are published after the images, with their digests', () => {
  expect(job('charts').needs).toContain('image');
  for (const chart of ['installation', 'saleschannel']) {
    expect(textOf(job('charts'))).toContain(`deploy/helm/publish.sh "oci://$REGISTRY/charts" ${chart}\n`);
    expect(existsSync(join(root, 'deploy/helm', chart, 'Chart.yaml'))).toBe(true);
  }
  expect(textOf(job('charts'))).toContain('deploy/compose/digests.sh "$REGISTRY" > versions.env');
});
