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
  readonly maxAgeSeconds?: number | undefined;
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
  /** How old a sign-in may be for this act (RFC 9470), where it was too old. */
  readonly maxAgeSeconds: number | undefined;

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
    this.maxAgeSeconds = parts.maxAgeSeconds;
  }

  /** Nobody is signed in, or no more. */
  get isSignedOut(): boolean {
    return this.status === 401 && !this.needsRecentSignIn;
  }

  /** Who is signed in did so too long ago for this act. */
  get needsRecentSignIn(): boolean {
    return this.type === '/problems/recent-sign-in-required';
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

/** @param body what the answer held, if it was JSON. @param headers those of the answer */
export function problemOf(status: number, body: unknown, headers: Headers): ApiError {
  const details = (typeof body === 'object' && body !== null ? body : {}) as ProblemDetails;
  const retryAfter = headers.get('Retry-After');
  const maxAge = /\bmax_age="(\d{1,5})"/.exec(headers.get('WWW-Authenticate') ?? 'none')?.[1];
  return new ApiError({
    status,
    type: textOf(details.type, 'about:blank'),
    title: textOf(details.title, `The answer had status ${status}`),
    detail: textOf(details.detail, 'Nothing more is known.'),
    requestId: textOf(details.requestId, headers.get('X-Request-Id') ?? 'unknown'),
    faults: Array.isArray(details.errors) ? details.errors.filter(isFault) : [],
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    maxAgeSeconds: maxAge === undefined ? undefined : Number(maxAge),
  });
}

/** No answer came: the connection broke, or there was none. */
export const noAnswer = (): ApiError =>
  new ApiError({
    status: undefined,
    type: '/problems/no-answer',
    title: 'No answer came',
    detail: 'The connection broke, or there is none. What was sent may have been done all the same.',
  });

const OFFLINE = '/problems/offline';

/** The browser had no connection before the request could be sent. */
export const offline = (): ApiError =>
  new ApiError({
    status: undefined,
    type: OFFLINE,
    title: 'You are offline',
    detail: 'Nothing was sent. Try again when you are connected.',
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
