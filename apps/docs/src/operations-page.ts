import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, type Page } from './sources.ts';

interface Access {
  readonly principal: 'user' | 'registry' | 'public';
  readonly roles?: readonly string[];
  readonly self?: boolean;
  readonly holder?: boolean;
  readonly registry?: boolean;
  readonly fresh?: number;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly 'x-access': Access;
}
interface Contract {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const CONTRACT = 'apps/gateway/src/contract/gen/openapi.json';
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Address of an operation in Swagger UI. */
const linkTo = (tag: string, id: string): string => `/docs/api#/${encodeURIComponent(tag)}/${id}`;

/** Callers of an operation, in words. */
function describeCallers({ principal, roles = [], self = false, holder = false, registry = false }: Access): string {
  if (principal === 'public') return 'everyone';
  if (principal === 'registry') return 'a registry key';
  if (registry) return 'a user of a registry';
  if (holder) return 'a user of an account holder';
  const names = roles.map((role) => `\`${role}\``);
  return names.length > 0 ? [...names, ...(self ? ['the user concerned'] : [])].join(' or ') : 'any user';
}

/** Every operation on one line, so that the search finds it by name. */
export function createOperationsPage(): Page {
  const { paths, tags } = JSON.parse(readFileSync(join(root, CONTRACT), 'utf8')) as Contract;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      METHODS.has(method) ? [{ path, method, operation }] : [],
    ),
  );
  const sections = tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags[0] === name)
      .map(({ path, method, operation }) => {
        const { operationId, summary } = operation;
        const address = `\`${method.toUpperCase()} ${path}\``;
        const link = `[${operationId}](${linkTo(name, operationId)})`;
        const { 'x-access': access } = operation;
        const recently = access.fresh === undefined ? '' : ', recent sign-in';
        return `| ${link} | ${address} | ${summary} | ${describeCallers(access)}${recently} |`;
      });
    return [
      `## ${name}`,
      description,
      ['| Operation | Path | Description | Access |', '|---|---|---|---|', ...rows].join('\n'),
    ];
  });
  const head =
    'All operations of [the contract](/openapi.yaml). Each name links to its parameters, bodies, responses and ' +
    'errors, where you can try it. API keys need no recent sign-in.';
  return {
    slug: 'operations-of-the-api',
    title: 'All operations',
    source: CONTRACT,
    markdown: [head, ...sections.flat()].join('\n\n'),
  };
}
