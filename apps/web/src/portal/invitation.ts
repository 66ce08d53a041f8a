/** The page to which links of invitations lead. What is behind the `#` of its address reaches no server. */
const INVITATION_PATH = '/invitation';
const KEY = 'invitation';

/**
 * Takes the token out of the address before anything else sees it, and keeps it in this tab: whoever has to sign in
 * first leaves the page and comes back without it.
 */
export function takeInvitation(): void {
  const { pathname, hash, search } = window.location;
  if (pathname !== INVITATION_PATH || hash.length < 2) return;
  sessionStorage.setItem(KEY, hash.slice(1));
  window.history.replaceState(null, '', `${pathname}${search}`);
}

export const keptInvitation = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined;

export const forgetInvitation = (): void => sessionStorage.removeItem(KEY);
