import type { Availability } from '@saleschannel/database';

/** For consumers of a test that need no database. */
export const alwaysAvailable: Availability = { isUsable: true, isLost: false, onChange: () => () => undefined };
