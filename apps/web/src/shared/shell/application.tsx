import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { Component, lazy, StrictMode, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Route, Switch } from 'wouter';
import { queryClient } from '../api/queries.ts';
import { translate } from '../i18n/messages.ts';
import { EndedDialog, useSession } from '../session/session-ui.tsx';
import {
  followOtherTabs,
  loadSession,
  SIGNED_IN_PATH,
  signInPath,
  notifyOtherTabs,
  type SignedIn,
} from '../session/session.ts';
import { applyTheme } from '../theme/theme.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/state.tsx';
import { findPage, type PageEntry, type PageProps, type Parameters } from './pages.ts';
import styles from './shell.module.css';

const text = translate({
  signIn: 'Sign in',
  signedIn: 'You are signed in',
  closeTab: 'Go back to the tab that you came from. You can close this one.',
  toStart: 'Go to start page',
  unreachable: 'The server cannot be reached',
  retry: 'Try again',
  notFound: 'Page not found',
  notFoundWhy: 'The address may be mistyped, or the page no longer exists.',
});

interface ApplicationProps<Person> {
  readonly name: string;
  /** Shown before the sign-in. */
  readonly about: string;
  readonly pages: readonly PageEntry<Person>[];
  /** Wraps every page, with the navigation. */
  readonly Frame: ComponentType<{ readonly session: SignedIn; readonly children: ReactNode }>;
}

/** Sets the document title of views that are not a {@link Page}. */
function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Start page without a session. */
function SignedOut({ name, about }: { readonly name: string; readonly about: string }) {
  const { pathname, search } = window.location;
  useTitle(name);
  return (
    <main className={styles['alone']}>
      <h1>{name}</h1>
      <p>{about}</p>
      <ButtonLink look="primary" href={signInPath(`${pathname}${search}`)}>
        {text.signIn}
      </ButtonLink>
    </main>
  );
}

function Unreachable() {
  return (
    <main className={styles['alone']} role="alert">
      <h1>{text.unreachable}</h1>
      <Button onClick={() => void loadSession()}>{text.retry}</Button>
    </main>
  );
}

/** Shown in the tab of a repeated sign-in. Informs the other tabs. */
function SignedInAgain() {
  useEffect(notifyOtherTabs, []);
  useTitle(text.signedIn);
  return (
    <main className={styles['alone']}>
      <h1>{text.signedIn}</h1>
      <p>{text.closeTab}</p>
      <ButtonLink href="/">{text.toStart}</ButtonLink>
    </main>
  );
}

function NotFound() {
  return (
    <Page title={text.notFound}>
      <Empty action={<ButtonLink href="/">{text.toStart}</ButtonLink>}>{text.notFoundWhy}</Empty>
    </Page>
  );
}

type Loaded = readonly Pick<PreloadedPage, 'path' | 'Content'>[];

function Pages({ pages }: { readonly pages: Loaded }) {
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        {pages.map(({ path, Content }) => (
          <Route key={path} path={path}>
            {(parameters) => (
              <ErrorBoundary key={window.location.pathname}>
                <Content parameters={parameters as Parameters} />
              </ErrorBoundary>
            )}
          </Route>
        ))}
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Suspense>
  );
}

/** Reloads failed queries after a sign-in in another tab. */
function useRefetchAfterSignIn(kind: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (kind === 'signed-in') void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
  }, [kind, queries]);
}

/** Not all browsers support `requestIdleCallback`. */
const runWhenIdle: (act: () => void) => void =
  'requestIdleCallback' in window ? (act) => void requestIdleCallback(act) : (act) => void setTimeout(act, 1_000);

/** Draws an application for signed-in users. */
export function startApplication<Person>({ name, about, pages, Frame }: ApplicationProps<Person>): void {
  applyTheme();
  const fetched = pages.map(preloadPage);
  // Fetches the current page while the session loads, and the other pages when idle.
  void loadSession();
  findPage(fetched, window.location.pathname)?.fetch();
  const fetchOthers = (): void => fetched.forEach(({ fetch }) => fetch());
  const Application = (): ReactNode => {
    const state = useSession();
    useRefetchAfterSignIn(state.kind);
    useEffect(followOtherTabs, []);
    useEffect(() => {
      if (state.kind === 'signed-in') runWhenIdle(fetchOthers);
    }, [state.kind]);
    if (state.kind === 'loading') return null;
    if (state.kind === 'failed') return <Unreachable />;
    if (state.kind === 'signed-out') return <SignedOut name={name} about={about} />;
    if (window.location.pathname === SIGNED_IN_PATH) return <SignedInAgain />;
    return (
      <Frame session={state.session}>
        <Pages pages={fetched} />
        {state.kind === 'ended' && <EndedDialog />}
      </Frame>
    );
  };
  const root = document.querySelector('#app');
  if (!root) throw new Error('The page has no #app element.');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Application />
      </QueryClientProvider>
    </StrictMode>,
  );
}

interface State {
  readonly error?: unknown;
}

/**
 * Shows an error instead of a broken page, and keeps the frame. Retrying reloads the page, which may have a new build.
 */
class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return <Failure error={this.state.error} onRetry={() => window.location.reload()} />;
  }
}

interface PreloadedPage {
  readonly path: string;
  readonly Content: ComponentType<PageProps>;
  /** Fetches the page in advance. Errors are ignored: showing the page retries. */
  fetch(): void;
}

/**
 * A page that renders at once if it was fetched in advance. Otherwise React suspends, and delays further updates by 300
 * ms to avoid flicker.
 */
function preloadPage({ path, load }: Pick<PageEntry<never>, 'path' | 'load'>): PreloadedPage {
  let fetched: ComponentType<PageProps> | undefined;
  const fetch = async () => {
    const page = await load();
    fetched = page.default;
    return page;
  };
  const Later = lazy(fetch);
  return {
    path,
    Content: (props) => {
      // Keep the same component while mounted: switching would remount the page.
      const [Page] = useState(() => fetched ?? Later);
      return <Page {...props} />;
    },
    fetch: () => void fetch().catch(() => undefined),
  };
}
