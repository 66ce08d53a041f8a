// Original file: protos/events/v1/events.proto

import type { LogHead as _events_v1_LogHead, LogHead__Output as _events_v1_LogHead__Output } from '../../events/v1/LogHead.ts';

export interface GetHeadsResponse {
  'heads'?: (_events_v1_LogHead)[];
}

export interface GetHeadsResponse__Output {
  'heads': (_events_v1_LogHead__Output)[];
}
