// Original file: protos/webhooks/v1/webhooks.proto


export interface LeaveEndpointsRequest {
  'dryRun'?: (boolean);
}

export interface LeaveEndpointsRequest__Output {
  'dryRun': (boolean);
}
