import type { Clients } from '../clients.ts';
import { rendered } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { channelLink, renderedAs, requireSearched } from './lists.ts';
import { alwaysPageOf, formatOf, withoutNulls } from './requests.ts';

type PublicHandlers = Pick<Handlers, 'getStatement' | 'listStatements' | 'getCertificateStatus' | 'getStatementKeys'>;

/** Operations without authentication. */
export const publicRegister = ({ publicRegister: register }: Clients): PublicHandlers => ({
  getStatement: async ({ path: { statementId } }, { publicCall }) =>
    rendered(200, (await register.GetStatement({ id: statementId }, publicCall)).data),
  listStatements: async ({ query }, context) => {
    const page = alwaysPageOf(query);
    const { retiredAt, beneficiaryName } = query.$filter ?? {};
    const filter = withoutNulls({ beneficiaryPart: beneficiaryName?.contains });
    const request = { retiredAt, ...filter, page, ...formatOf(context) };
    const reply = await register.ListStatements(request, context.publicCall);
    requireSearched(filter.beneficiaryPart, reply);
    return renderedAs('statements', context, reply, reply.data, channelLink(context, reply.next));
  },
  getCertificateStatus: async ({ path }, { publicCall }) =>
    rendered(200, (await register.GetCertificateStatus(path, publicCall)).data),
  getStatementKeys: async (_input, { publicCall }) =>
    rendered(200, (await register.GetStatementKeys({}, publicCall)).data),
});
