import { z } from 'zod';

/** Who makes a change, as services tell each other for the audit trail. */
export const actor = z.object({
  kind: z.enum(['user', 'registry-key', 'operator', 'service']),
  /** Of the user or the service. Of an operator, what their identity provider calls them: the claim `sub`. */
  id: z.string().optional(),
  /** The API key or registry key that was shown. Missing for an access token. */
  keyId: z.string().optional(),
  /** Of the user. */
  salesChannelId: z.string().optional(),
  /** Of the user or the registry key. */
  accountHolderId: z.string().optional(),
  /** Network address of the client. */
  address: z.string().optional(),
  /** Of the public request. */
  requestId: z.string().optional(),
});

export type Actor = z.infer<typeof actor>;
