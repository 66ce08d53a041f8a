import { askerOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readStatementFilter } from '../domain/list-filters.ts';
import { publicStatements } from '../store/statements.ts';
import { jsonRows } from './messages.ts';
import { listedStatementForm } from './statement-messages.ts';

export const listStatements: Rpc<'publicRegister.ListStatements', Context> =
  ({ reads, clock }) =>
  async ({ retiredAt, beneficiaryPart, page, format }, call) => {
    const asked = readChannelPage(page);
    const filter = readStatementFilter({ retiredAt, beneficiaryPart });
    // One time for both: nothing is found by a name that is not shown.
    const now = clock.now();
    const search = filter.beneficiaryPart === undefined ? undefined : { part: filter.beneficiaryPart, now };
    const part = await reads.page(askerOf(call).owner, (em) => publicStatements(em, filter.retiredAt, asked, search));
    const { render, frame, about } = listedStatementForm(format, now);
    return { ...jsonRows(part, render, frame), ...about, searched: search !== undefined };
  };
