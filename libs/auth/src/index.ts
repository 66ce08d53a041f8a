export { accessRules, isAllowed, requireAccess, serviceOnlyRule, type AccessRule, type OperationId } from './access.ts';
export {
  generateServiceKeys,
  keyHolders,
  readOwner,
  privateKeySchema,
  publicKeysSchema,
  serviceKeyRotation,
  type KeyHolder,
  type ServiceKeys,
} from './keys.ts';
export {
  isRole,
  roles,
  type Principal,
  type RegistryPrincipal,
  type Role,
  type SignIn,
  type UserPrincipal,
} from './principal.ts';
export { principalReceivers, receiversByOperation, type Receivers } from './receivers.ts';
export { Sealer, sealingKeys } from './sealed.ts';
export {
  createPrincipalSigner,
  createServiceTokens,
  PRINCIPAL_MIN_REMAINING_MS,
  PRINCIPAL_LIFETIME_MS,
  type PrincipalSigner,
  type ServiceTokens,
} from './tokens.ts';
export { createTokenVerifier, type TokenVerifier } from './verifier.ts';
