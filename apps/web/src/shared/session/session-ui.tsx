import { useEffect, useState, useSyncExternalStore } from 'react';
import { translate } from '../i18n/messages.ts';
import shell from '../shell/shell.module.css';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import {
  loadSession,
  msUntil,
  markSessionEnded,
  sessionStore,
  SIGNED_IN_PATH,
  signInPath,
  staySignedIn,
} from './session.ts';
import type { SessionState, SignedIn } from './session.ts';

const text = translate({
  endsSoon: (minutes: number) =>
    minutes < 1 ? 'You will be signed out in less than a minute.' : `You will be signed out in ${minutes} minutes.`,
  stay: 'Stay signed in',
  ended: 'Your session has ended',
  endedWhy: 'Your input on this page is kept. Sign in again in a new tab, then continue here.',
  signIn: 'Sign in in a new tab',
});

const WARN_MS = 3 * 60_000;
const CHECK_MS = 15_000;
const MINUTE_MS = 60_000;

export const useSession = (): SessionState => useSyncExternalStore(sessionStore.subscribe, sessionStore.get);

/**
 * Checks the remaining time periodically. Asks the server before warning, because other tabs may have extended the
 * session.
 */
function useTimeLeft(session: SignedIn): number {
  const [leftMs, setLeft] = useState(() => msUntil(session.idleExpiresAt));
  useEffect(() => {
    const check = (): void => {
      const ms = msUntil(session.idleExpiresAt);
      setLeft(ms);
      if (ms <= 0) markSessionEnded();
      else if (ms < WARN_MS) void loadSession();
    };
    check();
    const timer = setInterval(check, CHECK_MS);
    return () => clearInterval(timer);
  }, [session.idleExpiresAt]);
  return leftMs;
}

/** Warns before the session ends. */
export function ExpiryBanner({ session }: { readonly session: SignedIn }) {
  const leftMs = useTimeLeft(session);
  if (leftMs > WARN_MS) return null;
  const isAtMaximum = session.idleExpiresAt === session.expiresAt;
  return (
    <div className={shell['banner']} role="status">
      <p>{text.endsSoon(Math.max(0, Math.floor(leftMs / MINUTE_MS)))}</p>
      {!isAtMaximum && <Button onClick={() => void staySignedIn().catch(() => undefined)}>{text.stay}</Button>}
    </div>
  );
}

/** Covers the unchanged page until the user has signed in again. */
export function EndedDialog() {
  return (
    <Dialog
      title={text.ended}
      actions={
        <ButtonLink look="primary" href={signInPath(SIGNED_IN_PATH)} target="_blank" rel="noopener">
          {text.signIn}
        </ButtonLink>
      }
    >
      <p>{text.endedWhy}</p>
    </Dialog>
  );
}
