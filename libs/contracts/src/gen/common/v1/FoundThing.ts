// Original file: protos/common/v1/look_up.proto


export interface FoundThing {
  'kind'?: (string);
  'facts'?: ({[key: string]: string});
}

export interface FoundThing__Output {
  'kind': (string);
  'facts': ({[key: string]: string});
}
