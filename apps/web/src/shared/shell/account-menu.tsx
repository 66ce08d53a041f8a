import { useId, useState, type ReactNode } from 'react';
import { translate } from '../i18n/messages.ts';
import { signOut, type SignedIn } from '../session/session.ts';
import { saveTheme, readTheme, themes, type Theme } from '../theme/theme.ts';
import { Button } from '../ui/button.tsx';
import styles from './shell.module.css';

const text = translate({
  theme: 'Theme',
  signOut: 'Sign out',
  stillSignedIn: 'You are still signed in. Try to sign out again.',
  system: 'System',
  light: 'Light',
  dark: 'Dark',
});

/** User, theme and sign-out. */
export function AccountMenu({ session, children }: { readonly session: SignedIn; readonly children?: ReactNode }) {
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
