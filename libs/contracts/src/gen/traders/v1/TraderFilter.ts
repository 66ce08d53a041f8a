// Original file: protos/traders/v1/traders.proto


export interface TraderFilter {
  'namePrefix'?: (string);
  'businessId'?: (string);
  '_namePrefix'?: "namePrefix";
  '_businessId'?: "businessId";
}

export interface TraderFilter__Output {
  'namePrefix'?: (string);
  'businessId'?: (string);
  '_namePrefix'?: "namePrefix";
  '_businessId'?: "businessId";
}
