import { type ReactNode } from 'react';
import '../shared/theme/tokens.css';
import { useQuery } from '@tanstack/react-query';
import { unwrapData } from '../shared/api/client.ts';
import { ApiError } from '../shared/api/problem.ts';
import { translate } from '../shared/i18n/messages.ts';
import type { SignedIn } from '../shared/session/session.ts';
import { startApplication } from '../shared/shell/application.tsx';
import { Shell, SearchBox } from '../shared/shell/frame.tsx';
import { Page } from '../shared/ui/page.tsx';
import { Read } from '../shared/ui/state.tsx';
import { operations } from './api.ts';
import { pages } from './pages.ts';

const text = translate({
  name: 'Operator console',
  about: 'For operators of this installation: what is running, what is stuck, and who has which access.',
  refused: 'You are not an operator',
  refusedWhy: (subject: string) =>
    `This installation does not list ${subject} among its operators. Its administrators set operators in ` +
    'CONSOLE_OPERATORS.',
});

/** Checks that the signed-in user is an operator, by a cheap operation. All operations respond with 403 otherwise. */
const useOperatorCheck = () =>
  useQuery({
    queryKey: ['is-operator'],
    queryFn: ({ signal }) => unwrapData(operations.GET('/health', { signal })),
    staleTime: Infinity,
  });

function Frame({ session, children }: { readonly session: SignedIn; readonly children: ReactNode }) {
  const operatorCheck = useOperatorCheck();
  const isRefused = operatorCheck.error instanceof ApiError && operatorCheck.error.status === 403;
  return (
    <Shell
      name={text.name}
      context={undefined}
      session={session}
      person={operatorCheck.data && session}
      pages={pages}
      search={isRefused ? undefined : <SearchBox />}
    >
      {isRefused ? (
        <Page title={text.refused}>
          <p>{text.refusedWhy(session.subject)}</p>
        </Page>
      ) : (
        <Read of={operatorCheck}>{() => children}</Read>
      )}
    </Shell>
  );
}

startApplication({ name: text.name, about: text.about, pages, Frame });
