import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { linkPackages } from '@saleschannel/bench/release';
import { projectRoot } from '@saleschannel/local';

/** A mistake that a change of the product could make: one replacement in its sources. */
interface Mutation {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const mutations: Readonly<Record<string, Mutation>> = {
  /** The event log records a change as applied, but not the change, so it is never sent again. */
  'lost-row': {
    file: 'apps/events/src/operations/append-events.ts',
    from: 'insertEvents(em, events);',
    to: 'insertEvents(em, events.filter(() => Math.random() > 0.02));',
  },
  /** A repeated request is sometimes handled as a new one. */
  'doubled-trade': {
    file: 'apps/tasks/src/domain/transfer.ts',
    from: 'idempotencyKey: key, ...notes };',
    to: 'idempotencyKey: Math.random() < 0.3 ? `${key.slice(0, 40)}-${Date.now()}` : key, ...notes };',
  },
  /** A suspension is answered before the leases on the old state expire. */
  'early-answer': {
    file: 'apps/registry-import/src/rpc/account-holders.ts',
    from: 'await waitForLeases();\n    return answer;\n  };\n\nexport const resumeAccountHolder',
    to: 'void waitForLeases();\n    return answer;\n  };\n\nexport const resumeAccountHolder',
  },
  /** Endpoints of a killed replica are never released. */
  'kept-lease': {
    file: 'apps/webhooks/src/store/leases.ts',
    from: 'if (dead.length === 0) return;',
    to: 'if (dead.length >= 0) return;',
  },
};

export const mutationNames = Object.keys(mutations);

const COPIED = [
  'apps',
  'libs',
  'clients',
  'lab',
  'deploy',
  'protos',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];
const excluded = new Set(['node_modules', 'dist', 'test', '.local']);

/**
 * Copies the sources into a folder and applies a mutation.
 * @returns the folder
 * @throws Error if the mutation does not apply to the sources
 */
export function copyMutated(name: string, folder: string): string {
  const mutation = mutations[name];
  if (!mutation) throw new Error(`There is no mutation ${name}.`);
  for (const entry of COPIED)
    cpSync(join(projectRoot, entry), join(folder, entry), {
      recursive: true,
      filter: (path) =>
        !relative(projectRoot, path)
          .split(sep)
          .some((part) => excluded.has(part)),
    });
  linkPackages(folder);
  writeFileSync(join(folder, mutation.file), mutate(mutation, readFileSync(join(folder, mutation.file), 'utf8')));
  return folder;
}

function mutate({ file, from, to }: Mutation, text: string): string {
  if (text.split(from).length !== 2)
    throw new Error(`${file} must contain "${from}" exactly once. Change src/mutations.ts.`);
  return text.replace(from, () => to);
}
