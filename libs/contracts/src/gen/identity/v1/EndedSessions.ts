// Original file: protos/identity/v1/sessions.proto

import type { Session as _identity_v1_Session, Session__Output as _identity_v1_Session__Output } from '../../identity/v1/Session.ts';

export interface EndedSessions {
  'sessions'?: (_identity_v1_Session)[];
}

export interface EndedSessions__Output {
  'sessions': (_identity_v1_Session__Output)[];
}
