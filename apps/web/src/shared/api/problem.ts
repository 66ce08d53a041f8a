/** One error of a request, from problem details (RFC 9457). */
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

/** Sign-in required for an action (RFC 9470). */
export interface RequiredSignIn {
  readonly maxAgeSeconds: number;
  /** Accepted authentication contexts of the identity provider, separated by spaces. */
  readonly acrValues: string | undefined;
}

export interface ApiErrorParts {
  /** Undefined if no response arrived. */
  readonly status: number | undefined;
  /** Such as `/problems/not-found`. Pages branch on it. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string | undefined;
  readonly faults?: readonly Fault[];
  readonly retryAfterSeconds?: number | undefined;
  readonly requiredSignIn?: RequiredSignIn | undefined;
}

/** An unsuccessful response, or none. */
export class ApiError extends Error {
  readonly status: number | undefined;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly faults: readonly Fault[];
  readonly retryAfterSeconds: number | undefined;
  /** Set if the sign-in is too old or of the wrong kind for this action. */
  readonly requiredSignIn: RequiredSignIn | undefined;

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
    this.requiredSignIn = parts.requiredSignIn;
  }

  /** Whether no user is signed in, or the session has ended. */
  get isSignedOut(): boolean {
    return this.status === 401 && this.requiredSignIn === undefined;
  }

  /** Whether the request never left this browser. */
  get isOffline(): boolean {
    return this.type === OFFLINE;
  }

  /** Whether a read may be retried automatically. */
  get isTransient(): boolean {
    return this.status === 429 || this.status === 503;
  }
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && typeof (value as Fault).detail === 'string';

/** Required sign-in of a challenge, if any. */
function parseChallenge(challenge: string): RequiredSignIn | undefined {
  if (!challenge.startsWith('Bearer error="insufficient_user_authentication"')) return undefined;
  const maxAge = /\bmax_age="(\d{1,5})"/.exec(challenge)?.[1];
  const acrValues = /\bacr_values="([^"]*)"/.exec(challenge)?.[1];
  return { maxAgeSeconds: Number(maxAge ?? 0), acrValues };
}

/** @param body parsed JSON of the response, if any. @param headers headers of the response */
export function toApiError(status: number, body: unknown, headers: Headers): ApiError {
  const details = (typeof body === 'object' && body !== null ? body : {}) as ProblemDetails;
  const retryAfter = headers.get('Retry-After');
  return new ApiError({
    status,
    type: textOr(details.type, 'about:blank'),
    title: textOr(details.title, `The server responded with status ${status}`),
    detail: textOr(details.detail, 'No further details are available.'),
    requestId: textOr(details.requestId, headers.get('X-Request-Id') ?? 'unknown'),
    faults: Array.isArray(details.errors) ? details.errors.filter(isFault) : [],
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    requiredSignIn: parseChallenge(headers.get('WWW-Authenticate') ?? 'none'),
  });
}

/** No response arrived: the connection failed. */
export const createNoResponseError = (): ApiError =>
  new ApiError({
    status: undefined,
    type: '/problems/no-answer',
    title: 'No response arrived',
    detail: 'The connection failed. The request may have been carried out nevertheless.',
  });

const OFFLINE = '/problems/offline';

/** The browser was offline before the request could be sent. */
export const createOfflineError = (): ApiError =>
  new ApiError({
    status: undefined,
    type: OFFLINE,
    title: 'You are offline',
    detail: 'Nothing was sent. Try again when you are online.',
  });

/** Whether the object does not exist or was deleted. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Errors of a form: by field pointer, and those that belong to no field. */
export function groupFaults(
  error: unknown,
  pointers: readonly string[],
): { readonly atFields: ReadonlyMap<string, string>; readonly others: readonly string[] } {
  const atFields = new Map<string, string>();
  const others: string[] = [];
  for (const { pointer, parameter, detail } of error instanceof ApiError ? error.faults : []) {
    const path = pointer?.replace(/^#/, '');
    if (path !== undefined && pointers.includes(path)) atFields.set(path, detail);
    else others.push(`${path ?? parameter ?? 'Request'}: ${detail}`);
  }
  return { atFields, others };
}
