// Original file: protos/events/v1/events.proto


export interface GetHeadsRequest {
  'salesChannelIds'?: (string)[];
}

export interface GetHeadsRequest__Output {
  'salesChannelIds': (string)[];
}
