// Original file: protos/webhooks/v1/webhooks.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { BreakEndpointsRequest as _webhooks_v1_BreakEndpointsRequest, BreakEndpointsRequest__Output as _webhooks_v1_BreakEndpointsRequest__Output } from '../../webhooks/v1/BreakEndpointsRequest.ts';
import type { BreakEndpointsResponse as _webhooks_v1_BreakEndpointsResponse, BreakEndpointsResponse__Output as _webhooks_v1_BreakEndpointsResponse__Output } from '../../webhooks/v1/BreakEndpointsResponse.ts';
import type { LeaveEndpointsRequest as _webhooks_v1_LeaveEndpointsRequest, LeaveEndpointsRequest__Output as _webhooks_v1_LeaveEndpointsRequest__Output } from '../../webhooks/v1/LeaveEndpointsRequest.ts';
import type { LeaveEndpointsResponse as _webhooks_v1_LeaveEndpointsResponse, LeaveEndpointsResponse__Output as _webhooks_v1_LeaveEndpointsResponse__Output } from '../../webhooks/v1/LeaveEndpointsResponse.ts';

export interface EndpointSandboxServiceClient extends grpc.Client {
  BreakEndpoints(argument: _webhooks_v1_BreakEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_BreakEndpointsResponse__Output>): grpc.ClientUnaryCall;
  BreakEndpoints(argument: _webhooks_v1_BreakEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_BreakEndpointsResponse__Output>): grpc.ClientUnaryCall;
  BreakEndpoints(argument: _webhooks_v1_BreakEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_BreakEndpointsResponse__Output>): grpc.ClientUnaryCall;
  BreakEndpoints(argument: _webhooks_v1_BreakEndpointsRequest, callback: grpc.requestCallback<_webhooks_v1_BreakEndpointsResponse__Output>): grpc.ClientUnaryCall;
  breakEndpoints(argument: _webhooks_v1_BreakEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_BreakEndpointsResponse__Output>): grpc.ClientUnaryCall;
  breakEndpoints(argument: _webhooks_v1_BreakEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_BreakEndpointsResponse__Output>): grpc.ClientUnaryCall;
  breakEndpoints(argument: _webhooks_v1_BreakEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_BreakEndpointsResponse__Output>): grpc.ClientUnaryCall;
  breakEndpoints(argument: _webhooks_v1_BreakEndpointsRequest, callback: grpc.requestCallback<_webhooks_v1_BreakEndpointsResponse__Output>): grpc.ClientUnaryCall;
  
  LeaveEndpoints(argument: _webhooks_v1_LeaveEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_LeaveEndpointsResponse__Output>): grpc.ClientUnaryCall;
  LeaveEndpoints(argument: _webhooks_v1_LeaveEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_LeaveEndpointsResponse__Output>): grpc.ClientUnaryCall;
  LeaveEndpoints(argument: _webhooks_v1_LeaveEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_LeaveEndpointsResponse__Output>): grpc.ClientUnaryCall;
  LeaveEndpoints(argument: _webhooks_v1_LeaveEndpointsRequest, callback: grpc.requestCallback<_webhooks_v1_LeaveEndpointsResponse__Output>): grpc.ClientUnaryCall;
  leaveEndpoints(argument: _webhooks_v1_LeaveEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_LeaveEndpointsResponse__Output>): grpc.ClientUnaryCall;
  leaveEndpoints(argument: _webhooks_v1_LeaveEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_webhooks_v1_LeaveEndpointsResponse__Output>): grpc.ClientUnaryCall;
  leaveEndpoints(argument: _webhooks_v1_LeaveEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_webhooks_v1_LeaveEndpointsResponse__Output>): grpc.ClientUnaryCall;
  leaveEndpoints(argument: _webhooks_v1_LeaveEndpointsRequest, callback: grpc.requestCallback<_webhooks_v1_LeaveEndpointsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface EndpointSandboxServiceHandlers extends grpc.UntypedServiceImplementation {
  BreakEndpoints: grpc.handleUnaryCall<_webhooks_v1_BreakEndpointsRequest__Output, _webhooks_v1_BreakEndpointsResponse>;
  
  LeaveEndpoints: grpc.handleUnaryCall<_webhooks_v1_LeaveEndpointsRequest__Output, _webhooks_v1_LeaveEndpointsResponse>;
  
}

export interface EndpointSandboxServiceDefinition extends grpc.ServiceDefinition {
  BreakEndpoints: MethodDefinition<_webhooks_v1_BreakEndpointsRequest, _webhooks_v1_BreakEndpointsResponse, _webhooks_v1_BreakEndpointsRequest__Output, _webhooks_v1_BreakEndpointsResponse__Output>
  LeaveEndpoints: MethodDefinition<_webhooks_v1_LeaveEndpointsRequest, _webhooks_v1_LeaveEndpointsResponse, _webhooks_v1_LeaveEndpointsRequest__Output, _webhooks_v1_LeaveEndpointsResponse__Output>
}
