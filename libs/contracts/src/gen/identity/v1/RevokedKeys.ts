// Original file: protos/identity/v1/identity.proto


export interface RevokedKeys {
  'keyIds'?: (string)[];
}

export interface RevokedKeys__Output {
  'keyIds': (string)[];
}
