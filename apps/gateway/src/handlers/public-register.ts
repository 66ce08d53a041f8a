import type { Clients } from '../clients.ts';
import { createReplyAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toChannelLink, toListAnswer, requireSearched } from './lists.ts';
import { toRequiredPage, toFormat, withoutNulls } from './requests.ts';

/** Operations without authentication. */
export const createPublicHandlers = ({ publicRegister: register }: Clients) =>
  ({
    getStatement: ({ path: { statementId } }, { publicCallOptions }) =>
      createReplyAnswer(register.GetStatement({ id: statementId }, publicCallOptions)),
    listStatements: async ({ query }, context) => {
      const page = toRequiredPage(query);
      const { retiredAt, beneficiaryName } = query.$filter ?? {};
      const filter = withoutNulls({ beneficiaryPart: beneficiaryName?.contains });
      const request = { retiredAt, ...filter, page, ...toFormat(context) };
      const reply = await register.ListStatements(request, context.publicCallOptions);
      requireSearched(filter.beneficiaryPart, reply);
      return toListAnswer('statements', context, reply, reply.data, toChannelLink(context, reply.next));
    },
    getCertificateStatus: ({ path }, { publicCallOptions }) =>
      createReplyAnswer(register.GetCertificateStatus(path, publicCallOptions)),
    getStatementKeys: (_input, { publicCallOptions }) =>
      createReplyAnswer(register.GetStatementKeys({}, publicCallOptions)),
  }) satisfies Partial<Handlers>;
