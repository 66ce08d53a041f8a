// Original file: protos/registry_import/v1/registry_import.proto


export interface FindAccountHoldersRequest {
  'limit'?: (number);
  'after'?: (string);
  'businessId'?: (string);
  'kind'?: (string);
  'status'?: (string);
  'namePart'?: (string);
  '_after'?: "after";
  '_businessId'?: "businessId";
  '_kind'?: "kind";
  '_status'?: "status";
  '_namePart'?: "namePart";
}

export interface FindAccountHoldersRequest__Output {
  'limit': (number);
  'after'?: (string);
  'businessId'?: (string);
  'kind'?: (string);
  'status'?: (string);
  'namePart'?: (string);
  '_after'?: "after";
  '_businessId'?: "businessId";
  '_kind'?: "kind";
  '_status'?: "status";
  '_namePart'?: "namePart";
}
