import type { Clients } from '../clients.ts';
import { createRenderedAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toChannelLink, toListAnswer, requireSearched } from './lists.ts';
import { toRequiredPage, toFormat, withoutNulls } from './requests.ts';

type PublicHandlers = Pick<Handlers, 'getStatement' | 'listStatements' | 'getCertificateStatus' | 'getStatementKeys'>;

/** Operations without authentication. */
export const createPublicHandlers = ({ publicRegister: register }: Clients): PublicHandlers => ({
  getStatement: async ({ path: { statementId } }, { publicCallOptions }) =>
    createRenderedAnswer(200, (await register.GetStatement({ id: statementId }, publicCallOptions)).data),
  listStatements: async ({ query }, context) => {
    const page = toRequiredPage(query);
    const { retiredAt, beneficiaryName } = query.$filter ?? {};
    const filter = withoutNulls({ beneficiaryPart: beneficiaryName?.contains });
    const request = { retiredAt, ...filter, page, ...toFormat(context) };
    const reply = await register.ListStatements(request, context.publicCallOptions);
    requireSearched(filter.beneficiaryPart, reply);
    return toListAnswer('statements', context, reply, reply.data, toChannelLink(context, reply.next));
  },
  getCertificateStatus: async ({ path }, { publicCallOptions }) =>
    createRenderedAnswer(200, (await register.GetCertificateStatus(path, publicCallOptions)).data),
  getStatementKeys: async (_input, { publicCallOptions }) =>
    createRenderedAnswer(200, (await register.GetStatementKeys({}, publicCallOptions)).data),
});
