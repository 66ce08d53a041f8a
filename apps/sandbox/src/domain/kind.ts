import type { sandboxKinds } from '@saleschannel/sdk';

/** What can be triggered: what the public contract lists. */
export type Kind = (typeof sandboxKinds)[number];

/** Those that happen to webhook endpoints. */
const ofWebhooks: readonly Kind[] = ['webhook-down', 'webhook-late'];

export const isOfWebhooks = (kind: Kind): boolean => ofWebhooks.includes(kind);

/** For how long, or how late, unless somebody says otherwise. */
export const SECONDS = 60;
