import type { Clients } from '../clients.ts';
import { rendered } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { channelLink, channelPageOf } from './lists.ts';

type PublicHandlers = Pick<Handlers, 'getStatement' | 'listStatements' | 'getCertificateStatus' | 'getStatementKeys'>;

const FIRST_PAGE = { limit: 100, offset: 0 };

/** What anybody may read. */
export const publicRegister = ({ publicRegister: register }: Clients): PublicHandlers => ({
  getStatement: async ({ path: { statementId } }, { publicCall }) =>
    rendered(200, (await register.GetStatement({ id: statementId }, publicCall)).data),
  listStatements: async ({ query }, context) => {
    const page = channelPageOf(query) ?? FIRST_PAGE;
    const { retiredAt } = query.$filter ?? {};
    const { data, next } = await register.ListStatements({ retiredAt, page }, context.publicCall);
    return rendered(200, data, channelLink(context, next));
  },
  getCertificateStatus: async ({ path }, { publicCall }) =>
    rendered(200, (await register.GetCertificateStatus(path, publicCall)).data),
  getStatementKeys: async (_input, { publicCall }) =>
    rendered(200, (await register.GetStatementKeys({}, publicCall)).data),
});
