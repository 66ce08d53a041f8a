// Original file: protos/registry_import/v1/registry_import.proto


export interface PostalAddress {
  'postalCode'?: (string);
  'city'?: (string);
  'country'?: (string);
  'street1'?: (string);
  'street2'?: (string);
  '_street2'?: "street2";
}

export interface PostalAddress__Output {
  'postalCode': (string);
  'city': (string);
  'country': (string);
  'street1': (string);
  'street2'?: (string);
  '_street2'?: "street2";
}
