// Original file: protos/webhooks/v1/webhooks.proto


export interface LeaveEndpointsResponse {
  'endpoints'?: (number);
}

export interface LeaveEndpointsResponse__Output {
  'endpoints': (number);
}
