// Original file: protos/traders/v1/traders.proto


export interface Address {
  'zipCode'?: (string);
  'city'?: (string);
  'countryName'?: (string);
  'street'?: (string);
  'poBox'?: (string);
  '_zipCode'?: "zipCode";
  '_city'?: "city";
  '_countryName'?: "countryName";
  '_street'?: "street";
  '_poBox'?: "poBox";
}

export interface Address__Output {
  'zipCode'?: (string);
  'city'?: (string);
  'countryName'?: (string);
  'street'?: (string);
  'poBox'?: (string);
  '_zipCode'?: "zipCode";
  '_city'?: "city";
  '_countryName'?: "countryName";
  '_street'?: "street";
  '_poBox'?: "poBox";
}
