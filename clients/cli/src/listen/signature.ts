import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** The headers of a message, as Standard Webhooks 1.0 signs it. @param at in seconds since 1970 */
export function signedHeaders(secret: string, id: string, at: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
}
