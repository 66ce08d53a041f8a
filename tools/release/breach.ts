/** A promise of the last release that the current state breaks. */
export interface Breach {
  /** Broken element: `traders.v1.Trader.name`, `Trader.name`, `GET /traders`. */
  readonly element: string;
  /** Rule such as FIELD_NO_DELETE. Rules of protos are buf's. */
  readonly rule: string;
  readonly message: string;
}

type Kind = 'protos' | 'events' | 'openapi';

/**
 * Days that an element must have been released as deprecated before its removal. Services are upgraded together with
 * their callers. Clients of the public API belong to other companies.
 */
const deprecationDays: Readonly<Record<Kind, number>> = { protos: 30, events: 30, openapi: 180 };

/** Deprecated element → day of the release that first deprecated it. */
export type Deprecations = Readonly<Record<string, string>>;

interface Judged {
  readonly unit: string;
  readonly kind: Kind;
  readonly version: string;
  readonly deprecated: Deprecations;
  readonly isMajorPlanned: boolean;
  readonly today: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Reason to refuse a breach. Undefined if a major step is planned and the deprecation was long enough. */
export function refuseBreach({ element, rule, message }: Breach, judged: Judged): string | undefined {
  const { unit, kind, version, deprecated, isMajorPlanned, today } = judged;
  const days = deprecationDays[kind];
  const since = deprecated[element];
  const ends = since === undefined ? undefined : new Date(Date.parse(since) + days * DAY_MS);
  const missing: string[] = [];
  if (!isMajorPlanned) missing.push(`a version plan with "${unit}: major"`);
  if (ends === undefined)
    missing.push(`${days} days as deprecated (${unit}@${version} does not mark it as deprecated)`);
  else if (ends > today) missing.push(`to wait until ${ends.toISOString().slice(0, 10)} (deprecated since ${since})`);
  return missing.length === 0
    ? undefined
    : `${unit}: ${kind}: ${element}: ${rule}: ${message} It needs ${missing.join(', and ')}.`;
}
