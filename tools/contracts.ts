// node tools/contracts.ts <provider>[.<field>]: who relies on a service, or on a field of its answers, by the contracts
// of its consumers. Without an argument, all of them.
import { exampleOf, readContracts, type Interaction } from '../lab/testing/src/contracts/index.ts';

const [wanted = '*'] = process.argv.slice(2);
const [provider = '*', field] = wanted.split('.');

const isJson = (bytes: Buffer): boolean => /^\s*[[{]/.test(bytes.toString());

/** Whether there is a member of that name, at any depth. Documents are read. */
function names(value: unknown, name: string): boolean {
  if (Buffer.isBuffer(value)) return isJson(value) && names(JSON.parse(value.toString()), name);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => key === name || names(member, name));
}

const reliesOn = ({ answer, values }: Interaction): boolean =>
  field === undefined || names(exampleOf(answer?.(values)), field);

const lines = (await readContracts(provider)).flatMap((contract) =>
  contract.interactions
    .filter(reliesOn)
    .map(({ rpc, given }) => `${contract.program} → ${contract.provider}: ${rpc}, given ${given}`),
);
console.log(lines.length === 0 ? 'nobody, by the contracts' : lines.join('\n'));
