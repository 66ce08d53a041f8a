import { z } from 'zod';

/** The roles a user may hold on a sales channel. */
export const roles = [
  'TRADERONBOARDERPROPOSAL_VIEWER',
  'TRADERONBOARDERPROPOSAL_ACCEPTER',
  'TRADER_ADMINISTRATOR',
  'TRADER_VIEWER',
  'ROLE_ADMINISTRATOR',
  'ASSET_VIEWER',
  'ASSET_OFFRAMPER',
  'TRANSACTION_ADMINISTRATOR',
  'PRODUCTIONFACILITY_VIEWER',
  'SUPPLIER_VIEWER',
  'EVENT_VIEWER',
] as const;

export type Role = (typeof roles)[number];

export const isRole = (text: unknown): text is Role => (roles as readonly unknown[]).includes(text);

/** Who asks, as identity found out: a user with their rights of this moment, or a registry key. */
export type Principal = UserPrincipal | RegistryPrincipal;

export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  /** The API key that was shown. Undefined for an access token. */
  readonly keyId?: string | undefined;
  /** Undefined for a user who is bound to no sales channel. */
  readonly salesChannelId: string | undefined;
  readonly roles: readonly Role[];
  readonly accountHolderId: string | undefined;
  /** True while the sales channel is suspended: it is read, and nothing on it changes. */
  readonly isSuspended?: boolean | undefined;
  /** True for a user of an account holder that is a registry and not suspended: they make registry keys. */
  readonly isRegistry?: boolean | undefined;
  /** Present for people whose sign-in must be recent where an operation says so. Programs have none. */
  readonly signIn?: SignIn | undefined;
}

/** When and how a person showed who they are. */
export interface SignIn {
  /** Milliseconds since 1970. 0 where their token does not say. */
  readonly atMs: number;
  /** The authentication contexts (`acr`) of which the installation wants one, where the person showed none of them. */
  readonly wantedAcrs?: readonly string[] | undefined;
}

export interface RegistryPrincipal {
  readonly kind: 'registry';
  readonly keyId: string;
  readonly accountHolderId: string;
}

const principalClaim = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('registry'), keyId: z.string(), accountHolderId: z.string() }),
  z.object({
    kind: z.literal('user'),
    userId: z.string(),
    keyId: z.string().optional(),
    salesChannelId: z.string().optional(),
    // A role that a newer release has given out means nothing to this one.
    roles: z.array(z.string()).transform((roles) => roles.filter(isRole)),
    accountHolderId: z.string().optional(),
    isSuspended: z.boolean().optional(),
    isRegistry: z.boolean().optional(),
    signIn: z.object({ atMs: z.number(), wantedAcrs: z.array(z.string()).optional() }).optional(),
  }),
]);

/** @throws z.ZodError for a claim that identity would not make */
export function readPrincipal(claim: unknown): Principal {
  const principal = principalClaim.parse(claim);
  if (principal.kind === 'registry') return principal;
  const { salesChannelId, accountHolderId, ...user } = principal;
  return { ...user, salesChannelId, accountHolderId };
}
