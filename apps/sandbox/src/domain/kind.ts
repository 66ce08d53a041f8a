import type { sandboxKinds } from '@saleschannel/sdk';

/** Kinds of events in the public contract. */
export type Kind = (typeof sandboxKinds)[number];

const webhookKinds: readonly Kind[] = ['webhook-down', 'webhook-late'];

export const isOfWebhooks = (kind: Kind): boolean => webhookKinds.includes(kind);

/** Default duration or delay of a webhook fault. */
export const SECONDS = 60;
