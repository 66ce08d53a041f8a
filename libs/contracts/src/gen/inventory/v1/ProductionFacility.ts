// Original file: protos/inventory/v1/inventory.proto


export interface ProductionFacility {
  'id'?: (string);
  'gsrn'?: (string);
  'code'?: (string);
  'name'?: (string);
  'countryCode'?: (string);
  'methodologyCodes'?: (string)[];
  '_gsrn'?: "gsrn";
}

export interface ProductionFacility__Output {
  'id': (string);
  'gsrn'?: (string);
  'code': (string);
  'name': (string);
  'countryCode': (string);
  'methodologyCodes': (string)[];
  '_gsrn'?: "gsrn";
}
