// Original file: protos/webhooks/v1/webhooks.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateEndpointRequest as _webhooks_v1_CreateEndpointRequest, CreateEndpointRequest__Output as _webhooks_v1_CreateEndpointRequest__Output } from '../../webhooks/v1/CreateEndpointRequest.ts';
import type { CreateEndpointResponse as _webhooks_v1_CreateEndpointResponse, CreateEndpointResponse__Output as _webhooks_v1_CreateEndpointResponse__Output } from '../../webhooks/v1/CreateEndpointResponse.ts';
import type { DeleteEndpointRequest as _webhooks_v1_DeleteEndpointRequest, DeleteEndpointRequest__Output as _webhooks_v1_DeleteEndpointRequest__Output } from '../../webhooks/v1/DeleteEndpointRequest.ts';
import type { Delivery as _webhooks_v1_Delivery, Delivery__Output as _webhooks_v1_Delivery__Output } from '../../webhooks/v1/Delivery.ts';
import type { DeliveryDetail as _webhooks_v1_DeliveryDetail, DeliveryDetail__Output as _webhooks_v1_DeliveryDetail__Output } from '../../webhooks/v1/DeliveryDetail.ts';
import type { Endpoint as _webhooks_v1_Endpoint, Endpoint__Output as _webhooks_v1_Endpoint__Output } from '../../webhooks/v1/Endpoint.ts';
import type { GetDeliveryRequest as _webhooks_v1_GetDeliveryRequest, GetDeliveryRequest__Output as _webhooks_v1_GetDeliveryRequest__Output } from '../../webhooks/v1/GetDeliveryRequest.ts';
import type { GetEndpointRequest as _webhooks_v1_GetEndpointRequest, GetEndpointRequest__Output as _webhooks_v1_GetEndpointRequest__Output } from '../../webhooks/v1/GetEndpointRequest.ts';
import type { ListDeliveriesRequest as _webhooks_v1_ListDeliveriesRequest, ListDeliveriesRequest__Output as _webhooks_v1_ListDeliveriesRequest__Output } from '../../webhooks/v1/ListDeliveriesRequest.ts';
import type { ListDeliveriesResponse as _webhooks_v1_ListDeliveriesResponse, ListDeliveriesResponse__Output as _webhooks_v1_ListDeliveriesResponse__Output } from '../../webhooks/v1/ListDeliveriesResponse.ts';
import type { ListEndpointsRequest as _webhooks_v1_ListEndpointsRequest, ListEndpointsRequest__Output as _webhooks_v1_ListEndpointsRequest__Output } from '../../webhooks/v1/ListEndpointsRequest.ts';
import type { ListEndpointsResponse as _webhooks_v1_ListEndpointsResponse, ListEndpointsResponse__Output as _webhooks_v1_ListEndpointsResponse__Output } from '../../webhooks/v1/ListEndpointsResponse.ts';
import type { Replay as _webhooks_v1_Replay, Replay__Output as _webhooks_v1_Replay__Output } from '../../webhooks/v1/Replay.ts';
import type { ReplayEventsRequest as _webhooks_v1_ReplayEventsRequest, ReplayEventsRequest__Output as _webhooks_v1_ReplayEventsRequest__Output } from '../../webhooks/v1/ReplayEventsRequest.ts';
import type { RetryDeliveryRequest as _webhooks_v1_RetryDeliveryRequest, RetryDeliveryRequest__Output as _webhooks_v1_RetryDeliveryRequest__Output } from '../../webhooks/v1/RetryDeliveryRequest.ts';
import type { RotateSecretRequest as _webhooks_v1_RotateSecretRequest, RotateSecretRequest__Output as _webhooks_v1_RotateSecretRequest__Output } from '../../webhooks/v1/RotateSecretRequest.ts';
import type { RotateSecretResponse as _webhooks_v1_RotateSecretResponse, RotateSecretResponse__Output as _webhooks_v1_RotateSecretResponse__Output } from '../../webhooks/v1/RotateSecretResponse.ts';
import type { TestEndpointRequest as _webhooks_v1_TestEndpointRequest, TestEndpointRequest__Output as _webhooks_v1_TestEndpointRequest__Output } from '../../webhooks/v1/TestEndpointRequest.ts';
import type { UpdateEndpointRequest as _webhooks_v1_UpdateEndpointRequest, UpdateEndpointRequest__Output as _webhooks_v1_UpdateEndpointRequest__Output } from '../../webhooks/v1/UpdateEndpointRequest.ts';

export interface WebhooksServiceClient extends grpc.Client {
  CreateEndpoint(argument: _webhooks_v1_CreateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  CreateEndpoint(argument: _webhooks_v1_CreateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  CreateEndpoint(argument: _webhooks_v1_CreateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  CreateEndpoint(argument: _webhooks_v1_CreateEndpointRequest, callback: grpc.requestCallback<_webhooks_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _webhooks_v1_CreateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _webhooks_v1_CreateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _webhooks_v1_CreateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _webhooks_v1_CreateEndpointRequest, callback: grpc.requestCallback<_webhooks_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  
  DeleteEndpoint(argument: _webhooks_v1_DeleteEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  DeleteEndpoint(argument: _webhooks_v1_DeleteEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  DeleteEndpoint(argument: _webhooks_v1_DeleteEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  DeleteEndpoint(argument: _webhooks_v1_DeleteEndpointRequest, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _webhooks_v1_DeleteEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _webhooks_v1_DeleteEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _webhooks_v1_DeleteEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _webhooks_v1_DeleteEndpointRequest, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  
  GetDelivery(argument: _webhooks_v1_GetDeliveryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_DeliveryDetail__Output>): grpc.ClientUnaryCall;
  GetDelivery(argument: _webhooks_v1_GetDeliveryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_DeliveryDetail__Output>): grpc.ClientUnaryCall;
  GetDelivery(argument: _webhooks_v1_GetDeliveryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_DeliveryDetail__Output>): grpc.ClientUnaryCall;
  GetDelivery(argument: _webhooks_v1_GetDeliveryRequest, callback: grpc.requestCallback<_webhooks_v1_DeliveryDetail__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _webhooks_v1_GetDeliveryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_DeliveryDetail__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _webhooks_v1_GetDeliveryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_DeliveryDetail__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _webhooks_v1_GetDeliveryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_DeliveryDetail__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _webhooks_v1_GetDeliveryRequest, callback: grpc.requestCallback<_webhooks_v1_DeliveryDetail__Output>): grpc.ClientUnaryCall;
  
  GetEndpoint(argument: _webhooks_v1_GetEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  GetEndpoint(argument: _webhooks_v1_GetEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  GetEndpoint(argument: _webhooks_v1_GetEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  GetEndpoint(argument: _webhooks_v1_GetEndpointRequest, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  getEndpoint(argument: _webhooks_v1_GetEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  getEndpoint(argument: _webhooks_v1_GetEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  getEndpoint(argument: _webhooks_v1_GetEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  getEndpoint(argument: _webhooks_v1_GetEndpointRequest, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  
  ListDeliveries(argument: _webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _webhooks_v1_ListDeliveriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _webhooks_v1_ListDeliveriesRequest, callback: grpc.requestCallback<_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _webhooks_v1_ListDeliveriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _webhooks_v1_ListDeliveriesRequest, callback: grpc.requestCallback<_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  
  ListEndpoints(argument: _webhooks_v1_ListEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListEndpoints(argument: _webhooks_v1_ListEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListEndpoints(argument: _webhooks_v1_ListEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListEndpoints(argument: _webhooks_v1_ListEndpointsRequest, callback: grpc.requestCallback<_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _webhooks_v1_ListEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _webhooks_v1_ListEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _webhooks_v1_ListEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _webhooks_v1_ListEndpointsRequest, callback: grpc.requestCallback<_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  
  ReplayEvents(argument: _webhooks_v1_ReplayEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Replay__Output>): grpc.ClientUnaryCall;
  ReplayEvents(argument: _webhooks_v1_ReplayEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Replay__Output>): grpc.ClientUnaryCall;
  ReplayEvents(argument: _webhooks_v1_ReplayEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Replay__Output>): grpc.ClientUnaryCall;
  ReplayEvents(argument: _webhooks_v1_ReplayEventsRequest, callback: grpc.requestCallback<_webhooks_v1_Replay__Output>): grpc.ClientUnaryCall;
  replayEvents(argument: _webhooks_v1_ReplayEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Replay__Output>): grpc.ClientUnaryCall;
  replayEvents(argument: _webhooks_v1_ReplayEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Replay__Output>): grpc.ClientUnaryCall;
  replayEvents(argument: _webhooks_v1_ReplayEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Replay__Output>): grpc.ClientUnaryCall;
  replayEvents(argument: _webhooks_v1_ReplayEventsRequest, callback: grpc.requestCallback<_webhooks_v1_Replay__Output>): grpc.ClientUnaryCall;
  
  RetryDelivery(argument: _webhooks_v1_RetryDeliveryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  RetryDelivery(argument: _webhooks_v1_RetryDeliveryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  RetryDelivery(argument: _webhooks_v1_RetryDeliveryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  RetryDelivery(argument: _webhooks_v1_RetryDeliveryRequest, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  retryDelivery(argument: _webhooks_v1_RetryDeliveryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  retryDelivery(argument: _webhooks_v1_RetryDeliveryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  retryDelivery(argument: _webhooks_v1_RetryDeliveryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  retryDelivery(argument: _webhooks_v1_RetryDeliveryRequest, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  
  RotateSecret(argument: _webhooks_v1_RotateSecretRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _webhooks_v1_RotateSecretRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _webhooks_v1_RotateSecretRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _webhooks_v1_RotateSecretRequest, callback: grpc.requestCallback<_webhooks_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _webhooks_v1_RotateSecretRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _webhooks_v1_RotateSecretRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _webhooks_v1_RotateSecretRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _webhooks_v1_RotateSecretRequest, callback: grpc.requestCallback<_webhooks_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  
  TestEndpoint(argument: _webhooks_v1_TestEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  TestEndpoint(argument: _webhooks_v1_TestEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  TestEndpoint(argument: _webhooks_v1_TestEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  TestEndpoint(argument: _webhooks_v1_TestEndpointRequest, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  testEndpoint(argument: _webhooks_v1_TestEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  testEndpoint(argument: _webhooks_v1_TestEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  testEndpoint(argument: _webhooks_v1_TestEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  testEndpoint(argument: _webhooks_v1_TestEndpointRequest, callback: grpc.requestCallback<_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  
  UpdateEndpoint(argument: _webhooks_v1_UpdateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  UpdateEndpoint(argument: _webhooks_v1_UpdateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  UpdateEndpoint(argument: _webhooks_v1_UpdateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  UpdateEndpoint(argument: _webhooks_v1_UpdateEndpointRequest, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _webhooks_v1_UpdateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _webhooks_v1_UpdateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _webhooks_v1_UpdateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _webhooks_v1_UpdateEndpointRequest, callback: grpc.requestCallback<_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  
}

export interface WebhooksServiceHandlers extends grpc.UntypedServiceImplementation {
  CreateEndpoint: grpc.handleUnaryCall<_webhooks_v1_CreateEndpointRequest__Output, _webhooks_v1_CreateEndpointResponse>;
  
  DeleteEndpoint: grpc.handleUnaryCall<_webhooks_v1_DeleteEndpointRequest__Output, _webhooks_v1_Endpoint>;
  
  GetDelivery: grpc.handleUnaryCall<_webhooks_v1_GetDeliveryRequest__Output, _webhooks_v1_DeliveryDetail>;
  
  GetEndpoint: grpc.handleUnaryCall<_webhooks_v1_GetEndpointRequest__Output, _webhooks_v1_Endpoint>;
  
  ListDeliveries: grpc.handleUnaryCall<_webhooks_v1_ListDeliveriesRequest__Output, _webhooks_v1_ListDeliveriesResponse>;
  
  ListEndpoints: grpc.handleUnaryCall<_webhooks_v1_ListEndpointsRequest__Output, _webhooks_v1_ListEndpointsResponse>;
  
  ReplayEvents: grpc.handleUnaryCall<_webhooks_v1_ReplayEventsRequest__Output, _webhooks_v1_Replay>;
  
  RetryDelivery: grpc.handleUnaryCall<_webhooks_v1_RetryDeliveryRequest__Output, _webhooks_v1_Delivery>;
  
  RotateSecret: grpc.handleUnaryCall<_webhooks_v1_RotateSecretRequest__Output, _webhooks_v1_RotateSecretResponse>;
  
  TestEndpoint: grpc.handleUnaryCall<_webhooks_v1_TestEndpointRequest__Output, _webhooks_v1_Delivery>;
  
  UpdateEndpoint: grpc.handleUnaryCall<_webhooks_v1_UpdateEndpointRequest__Output, _webhooks_v1_Endpoint>;
  
}

export interface WebhooksServiceDefinition extends grpc.ServiceDefinition {
  CreateEndpoint: MethodDefinition<_webhooks_v1_CreateEndpointRequest, _webhooks_v1_CreateEndpointResponse, _webhooks_v1_CreateEndpointRequest__Output, _webhooks_v1_CreateEndpointResponse__Output>
  DeleteEndpoint: MethodDefinition<_webhooks_v1_DeleteEndpointRequest, _webhooks_v1_Endpoint, _webhooks_v1_DeleteEndpointRequest__Output, _webhooks_v1_Endpoint__Output>
  GetDelivery: MethodDefinition<_webhooks_v1_GetDeliveryRequest, _webhooks_v1_DeliveryDetail, _webhooks_v1_GetDeliveryRequest__Output, _webhooks_v1_DeliveryDetail__Output>
  GetEndpoint: MethodDefinition<_webhooks_v1_GetEndpointRequest, _webhooks_v1_Endpoint, _webhooks_v1_GetEndpointRequest__Output, _webhooks_v1_Endpoint__Output>
  ListDeliveries: MethodDefinition<_webhooks_v1_ListDeliveriesRequest, _webhooks_v1_ListDeliveriesResponse, _webhooks_v1_ListDeliveriesRequest__Output, _webhooks_v1_ListDeliveriesResponse__Output>
  ListEndpoints: MethodDefinition<_webhooks_v1_ListEndpointsRequest, _webhooks_v1_ListEndpointsResponse, _webhooks_v1_ListEndpointsRequest__Output, _webhooks_v1_ListEndpointsResponse__Output>
  ReplayEvents: MethodDefinition<_webhooks_v1_ReplayEventsRequest, _webhooks_v1_Replay, _webhooks_v1_ReplayEventsRequest__Output, _webhooks_v1_Replay__Output>
  RetryDelivery: MethodDefinition<_webhooks_v1_RetryDeliveryRequest, _webhooks_v1_Delivery, _webhooks_v1_RetryDeliveryRequest__Output, _webhooks_v1_Delivery__Output>
  RotateSecret: MethodDefinition<_webhooks_v1_RotateSecretRequest, _webhooks_v1_RotateSecretResponse, _webhooks_v1_RotateSecretRequest__Output, _webhooks_v1_RotateSecretResponse__Output>
  TestEndpoint: MethodDefinition<_webhooks_v1_TestEndpointRequest, _webhooks_v1_Delivery, _webhooks_v1_TestEndpointRequest__Output, _webhooks_v1_Delivery__Output>
  UpdateEndpoint: MethodDefinition<_webhooks_v1_UpdateEndpointRequest, _webhooks_v1_Endpoint, _webhooks_v1_UpdateEndpointRequest__Output, _webhooks_v1_Endpoint__Output>
}
