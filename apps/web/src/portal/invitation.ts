/** Target of invitation links. The fragment after `#` never reaches a server. */
const INVITATION_PATH = '/invitation';
const KEY = 'invitation';

/**
 * Moves the token from the address into this tab. A user who must sign in first leaves the page and returns without the
 * fragment.
 */
export function storeInvitation(): void {
  const { pathname, hash, search } = window.location;
  if (pathname !== INVITATION_PATH || hash.length < 2) return;
  sessionStorage.setItem(KEY, hash.slice(1));
  window.history.replaceState(null, '', `${pathname}${search}`);
}

export const readInvitation = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined;

export const clearInvitation = (): void => sessionStorage.removeItem(KEY);
