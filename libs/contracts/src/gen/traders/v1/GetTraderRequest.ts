// Original file: protos/traders/v1/traders.proto


export interface GetTraderRequest {
  'traderId'?: (string);
}

export interface GetTraderRequest__Output {
  'traderId': (string);
}
