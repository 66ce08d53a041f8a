// Original file: protos/traders/v1/traders.proto


export interface TraderFilter {
  'namePrefix'?: (string);
  'businessId'?: (string);
  'namePart'?: (string);
  '_namePrefix'?: "namePrefix";
  '_businessId'?: "businessId";
  '_namePart'?: "namePart";
}

export interface TraderFilter__Output {
  'namePrefix'?: (string);
  'businessId'?: (string);
  'namePart'?: (string);
  '_namePrefix'?: "namePrefix";
  '_businessId'?: "businessId";
  '_namePart'?: "namePart";
}
