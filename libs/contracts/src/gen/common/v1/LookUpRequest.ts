// Original file: protos/common/v1/look_up.proto


export interface LookUpRequest {
  'id'?: (string);
  'names'?: (boolean);
}

export interface LookUpRequest__Output {
  'id': (string);
  'names': (boolean);
}
