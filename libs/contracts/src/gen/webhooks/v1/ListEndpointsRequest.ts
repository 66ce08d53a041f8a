// Original file: protos/webhooks/v1/webhooks.proto


export interface ListEndpointsRequest {
}

export interface ListEndpointsRequest__Output {
}
