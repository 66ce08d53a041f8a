import type { Contract, Operation } from './sdk-contract.ts';

/** Last sentence of a POST's description. */
const REPEATS = /\n\nRepeats: with the same key, (?<keyed>[^.]+)\. Without a key, (?<unkeyed>[^.]+)\.$/;
const REFUSED = 'refused: the key is required';

const isKeyRequired = ({ parameters = [] }: Operation): boolean =>
  parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey');

/** Table row of a POST. @throws Error if the contract does not describe repeats */
function repeatsRow(path: string, operation: Operation): string {
  const { operationId, description = '' } = operation;
  const { keyed, unkeyed } = REPEATS.exec(description.replaceAll(/(?<=\S)\n(?=\S)/g, ' '))?.groups ?? {};
  if (keyed === undefined || unkeyed === undefined)
    throw new Error(`${operationId} must end with "Repeats: with the same key, …. Without a key, ….": openapi.yaml`);
  if (isKeyRequired(operation) !== (unkeyed === REFUSED))
    throw new Error(`${operationId} must say "${REFUSED}" exactly if the key is required: openapi.yaml`);
  return `| \`${operationId}\` | \`${path}\` | ${keyed} | ${unkeyed} |`;
}

/** Effects of repeating each POST of a contract. */
export const repeatsRows = ({ paths }: Contract): string =>
  Object.entries(paths)
    .flatMap(([path, { post }]) => (post ? [repeatsRow(path, post)] : []))
    .join('\n');
