// Original file: protos/common/v1/actor.proto


export interface Actor {
  'kind'?: (string);
  'id'?: (string);
  'keyId'?: (string);
  'salesChannelId'?: (string);
  'accountHolderId'?: (string);
  'address'?: (string);
  'requestId'?: (string);
  '_id'?: "id";
  '_keyId'?: "keyId";
  '_salesChannelId'?: "salesChannelId";
  '_accountHolderId'?: "accountHolderId";
  '_address'?: "address";
  '_requestId'?: "requestId";
}

export interface Actor__Output {
  'kind': (string);
  'id'?: (string);
  'keyId'?: (string);
  'salesChannelId'?: (string);
  'accountHolderId'?: (string);
  'address'?: (string);
  'requestId'?: (string);
  '_id'?: "id";
  '_keyId'?: "keyId";
  '_salesChannelId'?: "salesChannelId";
  '_accountHolderId'?: "accountHolderId";
  '_address'?: "address";
  '_requestId'?: "requestId";
}
