import { useState } from 'react';
import type { RequiredSignIn } from '../api/problem.ts';

/** Value that this tab keeps across reloads. Undefined if missing or unreadable. */
export function readStored<T>(name: string): T | undefined {
  const text = sessionStorage.getItem(name);
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

export function writeStored(name: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, JSON.stringify(value));
}

/** Deletes all input, so that the next user of this browser cannot see it. */
const clearStored = (): void => sessionStorage.clear();

/** State that survives a reload. Stored before React renders again. */
export function useStoredState<T>(name: string, initial: () => T): readonly [T, (next: T) => void] {
  const [value, setValue] = useState(() => readStored<T>(name) ?? initial());
  const set = (next: T): void => {
    writeStored(name, next);
    setValue(next);
  };
  return [value, set];
}

/** The session, from `/session`. Tokens stay on the server. */
export interface SignedIn {
  readonly signedIn: true;
  readonly issuer: string;
  readonly subject: string;
  readonly name?: string;
  readonly email?: string;
  readonly signedInAt: string;
  readonly expiresAt: string;
  readonly idleExpiresAt: string;
  readonly accessExpiresAt: string;
  readonly now: string;
}

export type SessionState =
  | { readonly kind: 'loading' }
  /** No user was signed in when the page opened. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'signed-in'; readonly session: SignedIn }
  /** The session ended while the page was open. Its input is kept. */
  | { readonly kind: 'ended'; readonly session: SignedIn }
  | { readonly kind: 'failed' };

/** Minimum remaining lifetime of the API token before it is exchanged. */
const FRESH_MS = 60_000;
const LOCK = 'portal-session';
const CHANNEL = 'portal-session';

let state: SessionState = { kind: 'loading' };
/** Offset of the server's clock from the browser's clock. */
let clockSkewMs = 0;
const listeners = new Set<() => void>();

function set(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export const sessionStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  get: (): SessionState => state,
};

/** Milliseconds until a server time. */
export const msUntil = (time: string): number => Date.parse(time) - (Date.now() + clockSkewMs);

async function requestSession(method: 'GET' | 'POST'): Promise<void> {
  const response = await fetch('/session', { method, headers: { 'X-Portal': '1' } });
  if (!response.ok) throw new Error(`The session cannot be read: the server responded with ${response.status}.`);
  applySession((await response.json()) as SignedIn | { signedIn: false });
}

function applySession(answer: SignedIn | { signedIn: false }): void {
  if (!answer.signedIn) return markSessionEnded();
  clockSkewMs = Date.parse(answer.now) - Date.now();
  const previous = 'session' in state ? state.session : undefined;
  const isOtherUser =
    previous !== undefined && (previous.subject !== answer.subject || previous.issuer !== answer.issuer);
  // Another user signed in, who must not see the page of the previous user.
  if (isOtherUser) {
    clearStored();
    window.location.replace('/');
  } else set({ kind: 'signed-in', session: answer });
}

export async function loadSession(): Promise<void> {
  try {
    await requestSession('GET');
  } catch {
    if (state.kind === 'loading') set({ kind: 'failed' });
  }
}

/** Extends the session at the user's request. */
export const staySignedIn = (): Promise<void> => requestSession('POST');

/** Marks the session as ended. Without a session, the user is signed out. */
export function markSessionEnded(): void {
  if ('session' in state) set({ kind: 'ended', session: state.session });
  else set({ kind: 'signed-out' });
}

const needsRefresh = (): boolean =>
  state.kind === 'signed-in' &&
  msUntil(state.session.accessExpiresAt) < FRESH_MS &&
  msUntil(state.session.expiresAt) > 0;

/** Makes the server exchange an expiring token. Only one tab does this. */
export async function refreshSession(): Promise<void> {
  if (!needsRefresh()) return;
  await navigator.locks.request(LOCK, async () => {
    if (!needsRefresh()) return;
    await requestSession('GET').catch(() => undefined);
    if (state.kind === 'signed-in') channel().postMessage({ session: state.session });
  });
}

let opened: BroadcastChannel | undefined;

/** Channel to other tabs of this browser. */
function channel(): BroadcastChannel {
  opened ??= new BroadcastChannel(CHANNEL);
  return opened;
}

/** Follows sign-ins, sign-outs and refreshes in other tabs. */
export function followOtherTabs(): void {
  channel().addEventListener('message', ({ data }: MessageEvent<{ session?: SignedIn }>) => {
    if (data.session) applySession(data.session);
    else void loadSession();
  });
}

/** Reports a sign-in or sign-out to other tabs. */
export const notifyOtherTabs = (): void => channel().postMessage({});

/** Page shown in the tab of a repeated sign-in. */
export const SIGNED_IN_PATH = '/signed-in';

/** @param required required age and kind of the sign-in */
export const signInPath = (returnTo: string, required?: RequiredSignIn): string => {
  const query = new URLSearchParams({ return: returnTo });
  if (required) query.set('max_age', String(required.maxAgeSeconds));
  if (required?.acrValues !== undefined) query.set('acr_values', required.acrValues);
  return `/sign-in?${query}`;
};

/** Signs out here and at the identity provider. */
export async function signOut(): Promise<void> {
  const response = await fetch('/sign-out', { method: 'POST', headers: { 'X-Portal': '1' } });
  if (!response.ok) throw new Error('The session could not be ended. Try again.');
  const { signOutUrl } = (await response.json()) as { signOutUrl: string };
  clearStored();
  notifyOtherTabs();
  window.location.assign(signOutUrl);
}
