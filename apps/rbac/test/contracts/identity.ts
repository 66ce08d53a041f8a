import { inAnyOrder, interaction, text, type Contract } from '@saleschannel/testing/contracts';

/** Requirements of rbac: existence and claims of users. */
export const contract: Contract = {
  consumer: 'rbac',
  provider: 'identity',
  interactions: [
    interaction('userDirectory.GetUser', {
      given: 'two users, one of whom has shown an address',
      values: { known: 'u1' },
      request: ({ known }) => ({ userId: known }),
      // Any answer suffices.
      answer: () => ({}),
    }),
    interaction('userDirectory.GetUser', {
      given: 'an id of no user',
      values: { nobody: 'u3' },
      request: ({ nobody }) => ({ userId: nobody }),
      refusal: 'not-found',
    }),
    interaction('userDirectory.GetUsers', {
      given: 'two users, one of whom has shown an address',
      values: { known: 'u1', email: 'anna@id.example', other: 'u2' },
      request: ({ known, other }) => ({ userIds: [known, other] }),
      answer: ({ known, email, other }) => ({
        users: inAnyOrder(
          { id: known, issuer: text('https://id.example'), subject: text('anna'), email, emailVerified: true },
          { id: other, issuer: text('https://id.example'), subject: text('berit'), email: undefined },
        ),
      }),
    }),
    interaction('userDirectory.GetUsers', {
      given: 'an id of no user',
      values: { nobody: 'u3' },
      request: ({ nobody }) => ({ userIds: [nobody] }),
      answer: () => ({ users: [] }),
    }),
  ],
};
