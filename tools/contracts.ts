// node tools/contracts.ts [<provider>[.<field>]]
//
// Lists the consumers of a service, or of a field of its replies, from their contracts.
import { toExample, readContracts, type Interaction } from '../lab/testing/src/contracts/index.ts';

const [provider = '*', field] = (process.argv[2] ?? '*').split('.');

const isJson = (bytes: Buffer): boolean => /^\s*[[{]/.test(bytes.toString());

/** True if a value has a member of that name at any depth, also in JSON documents. */
function hasMember(value: unknown, name: string): boolean {
  if (Buffer.isBuffer(value)) return isJson(value) && hasMember(JSON.parse(value.toString()), name);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => key === name || hasMember(member, name));
}

const reliesOn = ({ answer, values }: Interaction): boolean =>
  field === undefined || hasMember(toExample(answer?.(values)), field);

const lines = (await readContracts(provider)).flatMap((contract) =>
  contract.interactions
    .filter(reliesOn)
    .map(({ rpc, given }) => `${contract.program} → ${contract.provider}: ${rpc}, given ${given}`),
);
console.log(lines.length === 0 ? 'no consumer' : lines.join('\n'));
