/** One fault of a request, as problem details say it (RFC 9457). */
export interface Fault {
  /** JSON pointer fragment into the body: `#/address/city`. */
  readonly pointer?: string;
  /** Name of a path, query or header parameter. */
  readonly parameter?: string;
  readonly detail: string;
  readonly code: string;
}

interface ProblemDetails {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly requestId?: unknown;
  readonly errors?: unknown;
}

/** The sign-in that an act asks for (RFC 9470). */
export interface WantedSignIn {
  readonly maxAgeSeconds: number;
  /** Ways to show who one is, as the identity provider names them, with spaces between. */
  readonly acrValues: string | undefined;
}

export interface ApiErrorParts {
  /** Undefined: no answer came. */
  readonly status: number | undefined;
  /** Such as `/problems/not-found`. Pages branch on it. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string | undefined;
  readonly faults?: readonly Fault[];
  readonly retryAfterSeconds?: number | undefined;
  readonly wantedSignIn?: WantedSignIn | undefined;
}

/** An answer that is no success, or none at all. */
export class ApiError extends Error {
  readonly status: number | undefined;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly faults: readonly Fault[];
  readonly retryAfterSeconds: number | undefined;
  /** Where who is signed in did so too long ago for this act, or not in the way that it needs. */
  readonly wantedSignIn: WantedSignIn | undefined;

  constructor(parts: ApiErrorParts) {
    super(`${parts.title}: ${parts.detail}`);
    this.name = 'ApiError';
    this.status = parts.status;
    this.type = parts.type;
    this.title = parts.title;
    this.detail = parts.detail;
    this.requestId = parts.requestId;
    this.faults = parts.faults ?? [];
    this.retryAfterSeconds = parts.retryAfterSeconds;
    this.wantedSignIn = parts.wantedSignIn;
  }

  /** Nobody is signed in, or no more. */
  get isSignedOut(): boolean {
    return this.status === 401 && this.wantedSignIn === undefined;
  }

  /** The request never left this browser. */
  get isOffline(): boolean {
    return this.type === OFFLINE;
  }

  /** Whether a request that changes nothing may be sent again by itself. */
  get isPassing(): boolean {
    return this.status === 429 || this.status === 503;
  }
}

const textOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && typeof (value as Fault).detail === 'string';

/** What a challenge asks for, if it asks for another sign-in. */
function wantedSignInOf(challenge: string): WantedSignIn | undefined {
  if (!challenge.startsWith('Bearer error="insufficient_user_authentication"')) return undefined;
  const maxAge = /\bmax_age="(\d{1,5})"/.exec(challenge)?.[1];
  const acrValues = /\bacr_values="([^"]*)"/.exec(challenge)?.[1];
  return { maxAgeSeconds: Number(maxAge ?? 0), acrValues };
}

/** @param body what the answer held, if it was JSON. @param headers those of the answer */
export function problemOf(status: number, body: unknown, headers: Headers): ApiError {
  const details = (typeof body === 'object' && body !== null ? body : {}) as ProblemDetails;
  const retryAfter = headers.get('Retry-After');
  return new ApiError({
    status,
    type: textOf(details.type, 'about:blank'),
    title: textOf(details.title, `The answer had status ${status}`),
    detail: textOf(details.detail, 'No further details are available.'),
    requestId: textOf(details.requestId, headers.get('X-Request-Id') ?? 'unknown'),
    faults: Array.isArray(details.errors) ? details.errors.filter(isFault) : [],
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    wantedSignIn: wantedSignInOf(headers.get('WWW-Authenticate') ?? 'none'),
  });
}

/** No answer came: the connection broke, or there was none. */
export const noAnswer = (): ApiError =>
  new ApiError({
    status: undefined,
    type: '/problems/no-answer',
    title: 'No response arrived',
    detail: 'The connection failed. The request may have been carried out nevertheless.',
  });

const OFFLINE = '/problems/offline';

/** The browser had no connection before the request could be sent. */
export const offline = (): ApiError =>
  new ApiError({
    status: undefined,
    type: OFFLINE,
    title: 'You are offline',
    detail: 'Nothing was sent. Try again when you are online.',
  });

/** Whether what was asked for is not there, or no more. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** The faults of a form: those at its fields by pointer, and those that belong to none of them. */
export function faultsOf(
  error: unknown,
  pointers: readonly string[],
): { readonly atFields: ReadonlyMap<string, string>; readonly others: readonly string[] } {
  const atFields = new Map<string, string>();
  const others: string[] = [];
  for (const { pointer, parameter, detail } of error instanceof ApiError ? error.faults : []) {
    const place = pointer?.replace(/^#/, '');
    if (place !== undefined && pointers.includes(place)) atFields.set(place, detail);
    else others.push(`${place ?? parameter ?? 'Request'}: ${detail}`);
  }
  return { atFields, others };
}
