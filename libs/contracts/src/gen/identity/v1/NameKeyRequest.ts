// Original file: protos/identity/v1/identity.proto


export interface NameKeyRequest {
  'id'?: (string);
  'name'?: (string);
  '_name'?: "name";
}

export interface NameKeyRequest__Output {
  'id': (string);
  'name'?: (string);
  '_name'?: "name";
}
