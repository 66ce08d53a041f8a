export { interaction, rpcOf, type Contract, type Interaction } from './contract.ts';
export { count, exampleOf, faultsOf, inAnyOrder, instant, jsonOf, oneOf, text, whole } from './forms.ts';
export { readContracts } from './read.ts';
