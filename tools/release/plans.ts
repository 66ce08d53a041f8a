import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { units, workspace } from './units.ts';

/** Folder in which nx looks for version plans. */
const PLANS = '.nx/version-plans';

export const bumps = ['patch', 'minor', 'major'] as const;
export type Bump = (typeof bumps)[number];
export const isBump = (value: unknown): value is Bump => bumps.some((bump) => bump === value);

/** Effect of a change on versions. */
interface Plan {
  readonly file: string;
  readonly bumps: Readonly<Record<string, Bump>>;
  readonly message: string;
}

/** @throws Error for a plan that nx would refuse or that names no unit */
export const readPlans = (): Plan[] =>
  globSync('*.md', { cwd: join(workspace, PLANS) })
    .toSorted()
    .flatMap((name) => readFile(`${PLANS}/${name}`));

/** Reads the plans of a file, each with its steps between two lines of dashes. */
function readFile(file: string): Plan[] {
  const [before, ...parts] = readFileSync(join(workspace, file), 'utf8').split(/^---\n/m);
  const plans = Array.from({ length: Math.ceil(parts.length / 2) }, (_, index) => {
    const [head = '', message = ''] = parts.slice(2 * index);
    if (!message.trim()) throw new Error(`${file} is not a version plan with a message`);
    const found = parse(head) as Record<string, unknown>;
    for (const [unit, bump] of Object.entries(found)) {
      if (!units.some((each) => each.name === unit)) throw new Error(`${file}: ${unit} is not a unit`);
      if (!isBump(bump)) throw new Error(`${file}: ${unit}: ${String(bump)} is not one of ${bumps.join(', ')}`);
    }
    return { file, bumps: found as Record<string, Bump>, message: message.trim() };
  });
  if (before !== '' || plans.length === 0) throw new Error(`${file} is not a version plan with a message`);
  return plans;
}

/** Each change has its own file, so that two never conflict. */
export function writePlan(name: string, versions: Readonly<Record<string, Bump>>, message: string): string {
  const file = `${PLANS}/${name}.md`;
  if (existsSync(join(workspace, file))) throw new Error(`${file} already exists`);
  mkdirSync(join(workspace, PLANS), { recursive: true });
  writeFileSync(join(workspace, file), `---\n${stringify(versions)}---\n\n${message.trim()}\n`);
  return file;
}

/**
 * Splits files with several plans, because nx reads one per file.
 * @returns a function that restores them
 */
export function splitPlans(): () => void {
  const united = [...Map.groupBy(readPlans(), ({ file }) => file)].filter(([, plans]) => plans.length > 1);
  const texts = united.map(([file]) => [join(workspace, file), readFileSync(join(workspace, file), 'utf8')] as const);
  for (const [path] of texts) rmSync(path);
  const written = united.flatMap(([file, plans]) =>
    plans.map((plan, index) => writePlan(`${basename(file, '.md')}-${index + 1}`, plan.bumps, plan.message)),
  );
  return () => {
    for (const file of written) rmSync(join(workspace, file));
    for (const [path, text] of texts) writeFileSync(path, text);
  };
}

/** Largest step that the plans take with a unit. */
export function plannedBump(plans: readonly Plan[], unit: string): Bump | undefined {
  const steps = plans.flatMap((plan) => plan.bumps[unit] ?? []);
  return steps.toSorted((a, b) => bumps.indexOf(b) - bumps.indexOf(a))[0];
}
