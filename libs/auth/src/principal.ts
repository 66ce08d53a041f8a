import { z } from 'zod';

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

/** Authenticated caller: a user with their current rights, or a registry key. */
export type Principal = UserPrincipal | RegistryPrincipal;

export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  /** API key of the request. Undefined for an access token. */
  readonly keyId?: string | undefined;
  /** Undefined for a user without a sales channel. */
  readonly salesChannelId: string | undefined;
  readonly roles: readonly Role[];
  readonly accountHolderId: string | undefined;
  /** True while the sales channel is suspended, and so read-only. */
  readonly isSuspended?: boolean | undefined;
  /** True for a user of a registry that is not suspended: they can create registry keys. */
  readonly isRegistry?: boolean | undefined;
  /** Present for people, for operations that require a recent sign-in. Undefined for programs. */
  readonly signIn?: SignIn | undefined;
}

export interface SignIn {
  /** Milliseconds since 1970. 0 if the token does not state it. */
  readonly atMs: number;
  /** Authentication contexts (`acr`) of which the installation requires one, if the sign-in had none of them. */
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
    // Ignores roles of a newer release.
    roles: z.array(z.string()).transform((roles) => roles.filter(isRole)),
    accountHolderId: z.string().optional(),
    isSuspended: z.boolean().optional(),
    isRegistry: z.boolean().optional(),
    signIn: z.object({ atMs: z.number(), wantedAcrs: z.array(z.string()).optional() }).optional(),
  }),
]);

/** Parses the `principal` claim. @throws z.ZodError */
export function readPrincipal(claim: unknown): Principal {
  const principal = principalClaim.parse(claim);
  if (principal.kind === 'registry') return principal;
  const { salesChannelId, accountHolderId, ...user } = principal;
  return { ...user, salesChannelId, accountHolderId };
}
