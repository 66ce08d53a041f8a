export {
  createAdministration,
  type AccountHolderFields,
  type Addresses,
  type Administration,
  type IssuedKey,
  type Subject,
} from './administration.ts';
export { keyHolders } from './commands/keys.ts';
