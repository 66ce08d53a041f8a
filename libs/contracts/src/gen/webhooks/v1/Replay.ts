// Original file: protos/webhooks/v1/webhooks.proto


export interface Replay {
  'from'?: (string);
  'to'?: (string);
  'failedOnly'?: (boolean);
  'position'?: (string);
  '_position'?: "position";
}

export interface Replay__Output {
  'from': (string);
  'to': (string);
  'failedOnly': (boolean);
  'position'?: (string);
  '_position'?: "position";
}
