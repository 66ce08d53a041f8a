// Original file: protos/webhooks/v1/webhooks.proto


export interface EventTypes {
  'types'?: (string)[];
}

export interface EventTypes__Output {
  'types': (string)[];
}
