import type { Clients } from '../clients.ts';
import { rendered } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { alwaysPageOf, channelLink, formatOf, renderedAs, requireSearched } from './lists.ts';
import { withoutNulls } from './registry.ts';

type PublicHandlers = Pick<Handlers, 'getStatement' | 'listStatements' | 'getCertificateStatus' | 'getStatementKeys'>;

/** What anybody may read. */
export const publicRegister = ({ publicRegister: register }: Clients): PublicHandlers => ({
  getStatement: async ({ path: { statementId } }, { publicCall }) =>
    rendered(200, (await register.GetStatement({ id: statementId }, publicCall)).data),
  listStatements: async ({ query }, context) => {
    const page = alwaysPageOf(query);
    const { retiredAt, beneficiaryName } = query.$filter ?? {};
    const wanted = withoutNulls({ beneficiaryPart: beneficiaryName?.contains });
    const asked = { retiredAt, ...wanted, page, ...formatOf(context) };
    const reply = await register.ListStatements(asked, context.publicCall);
    requireSearched(wanted.beneficiaryPart, reply);
    return renderedAs('statements', context, reply, reply.data, channelLink(context, reply.next));
  },
  getCertificateStatus: async ({ path }, { publicCall }) =>
    rendered(200, (await register.GetCertificateStatus(path, publicCall)).data),
  getStatementKeys: async (_input, { publicCall }) =>
    rendered(200, (await register.GetStatementKeys({}, publicCall)).data),
});
