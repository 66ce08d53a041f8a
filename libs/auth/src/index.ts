export { access, isAllowed, requireAccess, serviceOnly, type AccessRule, type OperationId } from './access.ts';
export {
  generateServiceKeys,
  keyHolders,
  privateKeySchema,
  publicKeysSchema,
  type KeyHolder,
  type ServiceKeys,
} from './keys.ts';
export {
  createPrincipalSigner,
  createServiceTokens,
  createTokenVerifier,
  PRINCIPAL_LIFETIME_MS,
  type Principal,
  type PrincipalSigner,
  type RegistryPrincipal,
  type ServiceTokens,
  type TokenVerifier,
  type UserPrincipal,
} from './principal.ts';
export { isRole, roles, type Role } from './roles.ts';
