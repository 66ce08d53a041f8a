import { randomBytes } from 'node:crypto';

/** The broker that Jest's global setup started. */
export function testBrokerUrl(): string {
  const url = process.env['TEST_AMQP_URL'];
  if (!url) throw new Error('TEST_AMQP_URL is not set: run the tests through Jest with its global setup');
  return url;
}

/** A namespace of this test file's own on the shared broker. */
export const testNamespace = (): string => `test-${randomBytes(6).toString('hex')}`;
