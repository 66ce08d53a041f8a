// Original file: protos/traders/v1/traders.proto


export interface PartyKey {
  'salesChannelId'?: (string);
  'traderId'?: (string);
}

export interface PartyKey__Output {
  'salesChannelId': (string);
  'traderId': (string);
}
