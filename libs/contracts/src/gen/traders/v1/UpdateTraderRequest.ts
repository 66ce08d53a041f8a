// Original file: protos/traders/v1/traders.proto


export interface UpdateTraderRequest {
  'traderId'?: (string);
  'mergePatchJson'?: (string);
}

export interface UpdateTraderRequest__Output {
  'traderId': (string);
  'mergePatchJson': (string);
}
