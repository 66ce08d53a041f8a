// Original file: protos/common/v1/look_up.proto


export interface LookUpRequest {
  'id'?: (string);
}

export interface LookUpRequest__Output {
  'id': (string);
}
