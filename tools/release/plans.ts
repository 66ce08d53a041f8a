import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { units, workspace } from './units.ts';

/** Folder in which nx looks for version plans. */
const PLANS = '.nx/version-plans';

export const bumps = ['patch', 'minor', 'major'] as const;
export type Bump = (typeof bumps)[number];
export const isBump = (value: unknown): value is Bump => bumps.some((bump) => bump === value);

/** Effect of a change on versions. Each change has its own file, so that two never conflict. */
interface Plan {
  readonly file: string;
  readonly bumps: Readonly<Record<string, Bump>>;
  readonly message: string;
}

/** @throws Error for a plan that nx would refuse or that names no unit */
export function readPlans(): Plan[] {
  const folder = join(workspace, PLANS);
  return globSync('*.md', { cwd: folder })
    .toSorted()
    .map((name) => {
      const file = `${PLANS}/${name}`;
      const [, head, message] =
        /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
      if (head === undefined || !message?.trim()) throw new Error(`${file} is not a version plan with a message`);
      const found = parse(head) as Record<string, unknown>;
      for (const [unit, bump] of Object.entries(found)) {
        if (!units.some((each) => each.name === unit)) throw new Error(`${file}: ${unit} is not a unit`);
        if (!isBump(bump)) throw new Error(`${file}: ${unit}: ${String(bump)} is not one of ${bumps.join(', ')}`);
      }
      return { file, bumps: found as Record<string, Bump>, message: message.trim() };
    });
}

export function writePlan(name: string, versions: Readonly<Record<string, Bump>>, message: string): string {
  const file = `${PLANS}/${name}.md`;
  if (existsSync(join(workspace, file))) throw new Error(`${file} already exists`);
  mkdirSync(join(workspace, PLANS), { recursive: true });
  writeFileSync(join(workspace, file), `---\n${stringify(versions)}---\n\n${message.trim()}\n`);
  return file;
}

/** Largest step that the plans take with a unit. */
export function plannedBump(plans: readonly Plan[], unit: string): Bump | undefined {
  const steps = plans.flatMap((plan) => plan.bumps[unit] ?? []);
  return steps.toSorted((a, b) => bumps.indexOf(b) - bumps.indexOf(a))[0];
}
