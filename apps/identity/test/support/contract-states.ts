import { newId } from '@saleschannel/primitives';
import type { States } from '@saleschannel/testing/contract-tests';
import { withToken, type Identity } from './identity.ts';

/** The states that consumers of identity name in their contracts. */
export const statesOf = ({ admin, gateway, issuer, newUser }: Identity): States => ({
  async 'two users, one of whom has shown an address'() {
    const subject = newId();
    const email = `${subject}@example.test`;
    await gateway.Authenticate(withToken(await issuer.token(subject, { claims: { email, email_verified: true } })));
    const known = (await admin.EnsureUser({ issuer: issuer.issuer, subject })).id;
    return { known, email, other: await newUser() };
  },
  'an id of no user': () => Promise.resolve({ nobody: newId() }),
});
