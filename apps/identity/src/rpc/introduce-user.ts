import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { fault, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { issuer, subject } from '../domain/user.ts';
import { introduceUser as introduce } from '../operations/introduce-user.ts';

/** A user of another issuer could never sign in. */
const requestSchema = (ownIssuer: string) =>
  z.object({
    issuer: issuer.check(({ value, issues }) => {
      if (value !== ownIssuer)
        issues.push(fault({ code: 'issuer', detail: 'is not the issuer whose tokens are taken here' }, value));
    }),
    subject,
  });

export const introduceUser: Rpc<'identity.IntroduceUser', Context> =
  ({ database, bearerTokens }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const claims = parse(requestSchema(bearerTokens.issuer), request, 'The user is not valid.');
    return answerOnce(
      'identity.IntroduceUser',
      { database, call, request },
      (transactional) => introduce(transactional, claims, salesChannelId, actorOf(call)),
      (userId) => ({ userId }),
    );
  };
