export { interaction, parseRpc, type Contract, type Interaction } from './contract.ts';
export {
  among,
  startsWith,
  bytes,
  count,
  toExample,
  comparePattern,
  inAnyOrder,
  instant,
  jsonOf,
  oneOf,
} from './forms.ts';
export { pieces, matching, text, tokenLike, whole, type Form } from './forms.ts';
export { readContracts } from './contract.ts';
