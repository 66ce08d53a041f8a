import { useEffect, useRef, useSyncExternalStore, useId, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { translate } from '../i18n/messages.ts';
import { ExpiryBanner } from '../session/session-ui.tsx';
import { signOut, type SignedIn } from '../session/session.ts';
import { saveTheme, readTheme, themes, type Theme } from '../theme/theme.ts';
import { Button } from '../ui/button.tsx';
import type { PageEntry } from './pages.ts';
import styles from './shell.module.css';

const text = translate({
  skip: 'Skip to content',
  pages: 'Pages',
  offline: 'You are offline. This page may be out of date, and nothing can be sent.',
  theme: 'Theme',
  signOut: 'Sign out',
  stillSignedIn: 'You are still signed in. Try to sign out again.',
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  search: 'Search by name or id',
});

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], dialog') !== null;

/** Searches by id or part of a name. The key "/" focuses it. */
export function SearchBox() {
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        navigate(`/search?${new URLSearchParams({ q: input.current?.value.trim() ?? String() })}`);
      }}
    >
      <input
        ref={input}
        type="search"
        aria-label={text.search}
        placeholder={text.search}
        maxLength={128}
        aria-keyshortcuts="/"
      />
    </form>
  );
}

/** User, theme and sign-out. */
function AccountMenu({ session, children }: { readonly session: SignedIn; readonly children?: ReactNode }) {
  const [theme, setTheme] = useState(readTheme);
  const [isLeaving, setLeaving] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const menuId = useId();
  const choose = (chosen: Theme): void => {
    saveTheme(chosen);
    setTheme(chosen);
  };
  const leave = async (): Promise<void> => {
    setLeaving(true);
    setHasFailed(false);
    await signOut().catch(() => {
      setLeaving(false);
      setHasFailed(true);
    });
  };
  return (
    <div className={styles['account']}>
      <Button look="quiet" popoverTarget={menuId}>
        {session.name ?? session.subject}
      </Button>
      <div id={menuId} popover="auto" className={styles['menu']}>
        <p>{session.email ?? session.subject}</p>
        {children}
        <label>
          {text.theme}
          <select value={theme} onChange={(event) => choose(event.target.value as Theme)}>
            {themes.map((each) => (
              <option key={each} value={each}>
                {text[each]}
              </option>
            ))}
          </select>
        </label>
        <Button busy={isLeaving} onClick={() => void leave()}>
          {text.signOut}
        </Button>
        {hasFailed && <p role="alert">{text.stillSignedIn}</p>}
      </div>
    </div>
  );
}

interface ShellProps<Person> {
  readonly name: string;
  /** Sales channel or account holder whose data is shown. */
  readonly context: string | undefined;
  readonly session: SignedIn;
  /** Undefined while loading: only the frame is drawn. */
  readonly person: Person | undefined;
  readonly pages: readonly PageEntry<Person>[];
  readonly search?: ReactNode;
  readonly menu?: ReactNode;
  readonly children: ReactNode;
}

const isCurrent = (path: string, location: string): boolean =>
  path === location || (path !== '/' && location.startsWith(`${path}/`));

function Navigation<Person>({ person, pages }: Pick<ShellProps<Person>, 'person' | 'pages'>) {
  const [location] = useLocation();
  const entries = pages.flatMap(({ path, navigation }) =>
    navigation && person !== undefined && navigation.isFor(person) ? [{ path, ...navigation }] : [],
  );
  const active = pages.find(({ path }) => path === location)?.within ?? location;
  const current = entries.map(({ path }) => path).filter((path) => isCurrent(path, active));
  // Longest match: "/channel" must not match "/channel/traders".
  const [deepest] = current.toSorted((one, other) => other.length - one.length);
  // On narrow screens the navigation is one scrolling line.
  const side = useRef<HTMLElement>(null);
  useEffect(() => {
    side.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [deepest]);
  return (
    <nav ref={side} className={styles['side']} aria-label={text.pages}>
      {[...Map.groupBy(entries, ({ group }) => group)].map(([group, links]) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {links.map(({ path, label }) => (
              <li key={path}>
                <Link href={path} aria-current={path === deepest ? 'page' : undefined}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** Header, navigation and content. */
export function Shell<Person>({ name, context, session, person, pages, search, menu, children }: ShellProps<Person>) {
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#content">
        {text.skip}
      </a>
      <header className={styles['top']}>
        <Link href="/" className={styles['brand']}>
          {name}
        </Link>
        <span className={styles['context']}>{context}</span>
        {search !== undefined && <div className={styles['search']}>{search}</div>}
        <AccountMenu session={session}>{menu}</AccountMenu>
      </header>
      <Navigation person={person} pages={pages} />
      <main id="content" className={styles['main']} tabIndex={-1}>
        <OfflineBanner />
        <ExpiryBanner session={session} />
        {children}
      </main>
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  const events = ['online', 'offline'];
  for (const event of events) window.addEventListener(event, listener);
  return () => events.forEach((event) => window.removeEventListener(event, listener));
}

/** Warns that the browser is offline. */
function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return <div role="status">{!isOnline && <p className={styles['banner']}>{text.offline}</p>}</div>;
}
