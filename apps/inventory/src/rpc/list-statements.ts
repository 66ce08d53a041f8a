import { askerOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { readStatementFilter } from '../domain/list-filters.ts';
import { publicStatements } from '../store/statements.ts';
import { jsonRows } from './messages.ts';
import { listedStatementForm } from './statement-messages.ts';

export const listStatements: Rpc<'publicRegister.ListStatements', Context> =
  ({ reads, clock }) =>
  async ({ retiredAt, page, format }, call) => {
    const asked = readChannelPage(page);
    const range = readStatementFilter({ retiredAt });
    const part = await reads.page(askerOf(call).owner, (em) => publicStatements(em, range, asked));
    const { render, frame, about } = listedStatementForm(format, clock.now());
    return { ...jsonRows(part, render, frame), ...about };
  };
