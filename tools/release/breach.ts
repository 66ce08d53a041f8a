/** A promise of the last release that the present state does not keep. */
export interface Breach {
  /** What is broken: `traders.v1.Trader.name`, `Trader.name`, `GET /traders`. */
  readonly element: string;
  /** Such as FIELD_NO_DELETE. The names for protos are those of buf. */
  readonly rule: string;
  readonly message: string;
}

type Kind = 'protos' | 'events' | 'openapi';

/**
 * For how many days a release must have called something deprecated before it may go. Services are upgraded together
 * with those that call them, within an installation's own time. Clients of the public API are other companies.
 */
const deprecationDays: Readonly<Record<Kind, number>> = { protos: 30, events: 30, openapi: 180 };

/** What the last release called deprecated, and the day of the release that first did. */
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

/** Why a breach is refused. Undefined when a major step is planned and the time of its deprecation is over. */
export function refusalOf({ element, rule, message }: Breach, judged: Judged): string | undefined {
  const { unit, kind, version, deprecated, isMajorPlanned, today } = judged;
  const days = deprecationDays[kind];
  const since = deprecated[element];
  const ends = since === undefined ? undefined : new Date(Date.parse(since) + days * DAY_MS);
  const missing: string[] = [];
  if (!isMajorPlanned) missing.push(`a version plan with "${unit}: major"`);
  if (ends === undefined) missing.push(`${days} days as deprecated (${unit}@${version} does not call it deprecated)`);
  else if (ends > today) missing.push(`to wait until ${ends.toISOString().slice(0, 10)} (deprecated since ${since})`);
  return missing.length === 0
    ? undefined
    : `${unit}: ${kind}: ${element}: ${rule}: ${message} It needs ${missing.join(', and ')}.`;
}
