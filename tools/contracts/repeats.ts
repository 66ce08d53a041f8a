import type { Contract, Operation } from './sdk-contract.ts';

/** As a POST says at the end of its description what a repeat of it does. */
const REPEATS = /\n\nRepeats: with the same key, (?<keyed>[^.]+)\. Without a key, (?<unkeyed>[^.]+)\.$/;
const REFUSED = 'refused, for the key is required';

const isKeyRequired = ({ parameters = [] }: Operation): boolean =>
  parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey');

/** The row of a POST in the table of repeats. @throws Error where the contract does not say it */
function repeatsRow(path: string, operation: Operation): string {
  const { operationId, description = '' } = operation;
  const { keyed, unkeyed } = REPEATS.exec(description.replaceAll(/(?<=\S)\n(?=\S)/g, ' '))?.groups ?? {};
  if (keyed === undefined || unkeyed === undefined)
    throw new Error(`${operationId} must end with "Repeats: with the same key, …. Without a key, ….": openapi.yaml`);
  if (isKeyRequired(operation) !== (unkeyed === REFUSED))
    throw new Error(`${operationId} must say "${REFUSED}" if it is, and else not: openapi.yaml`);
  return `| \`${operationId}\` | \`${path}\` | ${keyed} | ${unkeyed} |`;
}

/** What a repeat of each POST of a contract does. */
export const repeatsRows = ({ paths }: Contract): string =>
  Object.entries(paths)
    .flatMap(([path, { post }]) => (post ? [repeatsRow(path, post)] : []))
    .join('\n');
