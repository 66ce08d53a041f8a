// Original file: protos/webhooks/v1/webhooks.proto


export interface RetryDeliveryRequest {
  'endpointId'?: (string);
  'deliveryId'?: (string);
}

export interface RetryDeliveryRequest__Output {
  'endpointId': (string);
  'deliveryId': (string);
}
