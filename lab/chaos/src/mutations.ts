import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { linkPackages } from '@saleschannel/bench/release';
import { projectRoot } from '@saleschannel/local';

/** A mistake that a change of the product could make: one place of its sources, replaced. */
interface Mutation {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const mutations: Readonly<Record<string, Mutation>> = {
  /** The event log records that it has a change, and not the change. So nobody tells it again. */
  'lost-row': {
    file: 'apps/events/src/operations/append-events.ts',
    from: 'insertEvents(em, events);',
    to: 'insertEvents(em, events.filter(() => Math.random() > 0.02));',
  },
  /** A repeated request is sometimes taken for a new one. */
  'doubled-trade': {
    file: 'apps/tasks/src/domain/transfer.ts',
    from: 'idempotencyKey: key, ...notes };',
    to: 'idempotencyKey: Math.random() < 0.3 ? `${key.slice(0, 40)}-${Date.now()}` : key, ...notes };',
  },
  /** A suspension is answered while leases last that tell otherwise. */
  'early-answer': {
    file: 'apps/registry-import/src/rpc/account-holders.ts',
    from: 'await leasesEnded();\n    return answer;\n  };\n\nexport const resumeAccountHolder',
    to: 'void leasesEnded();\n    return answer;\n  };\n\nexport const resumeAccountHolder',
  },
  /** The endpoints of a replica that has died are kept for it for ever. */
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
const left = new Set(['node_modules', 'dist', 'test', '.local']);

/**
 * Copies these sources into a folder, with a mutation in them.
 * @returns the folder
 * @throws Error when the place of the mutation is not there any more
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
          .some((part) => left.has(part)),
    });
  linkPackages(folder);
  writeFileSync(join(folder, mutation.file), mutate(mutation, readFileSync(join(folder, mutation.file), 'utf8')));
  return folder;
}

function mutate({ file, from, to }: Mutation, text: string): string {
  if (text.split(from).length !== 2) throw new Error(`${file} does not hold "${from}" once: change src/mutations.ts.`);
  return text.replace(from, () => to);
}
