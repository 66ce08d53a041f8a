import type { Schemas } from '../../../shared/api/client.ts';
import { isInName } from '../../../shared/format/folded.ts';

type Person = Pick<Schemas['ChannelUser'], 'userId' | 'subject' | 'email' | 'name'>;

/** Users that are shown at once: each has a row of checkboxes. */
export const SHOWN_AT_MOST = 200;

/** What somebody is called. */
export const calledAs = ({ name, email, subject }: Person): string => name ?? email ?? subject;

/** Those with a text in any of their names, by name. */
export const peopleLike = <P extends Person>(people: readonly P[], text: string | undefined): P[] =>
  people
    .filter(
      ({ userId, subject, email, name }) =>
        text === undefined ||
        [userId, subject, email, name].some((each) => typeof each === 'string' && isInName(text, each)),
    )
    .toSorted((one, other) => calledAs(one).localeCompare(calledAs(other), 'en'));
