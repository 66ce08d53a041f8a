// Original file: protos/webhooks/v1/webhooks.proto


export interface GetDeliveryRequest {
  'endpointId'?: (string);
  'deliveryId'?: (string);
}

export interface GetDeliveryRequest__Output {
  'endpointId': (string);
  'deliveryId': (string);
}
