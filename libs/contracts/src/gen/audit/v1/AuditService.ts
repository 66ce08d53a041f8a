// Original file: protos/audit/v1/audit.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetTrailEndsRequest as _audit_v1_GetTrailEndsRequest, GetTrailEndsRequest__Output as _audit_v1_GetTrailEndsRequest__Output } from '../../audit/v1/GetTrailEndsRequest.ts';
import type { GetTrailEndsResponse as _audit_v1_GetTrailEndsResponse, GetTrailEndsResponse__Output as _audit_v1_GetTrailEndsResponse__Output } from '../../audit/v1/GetTrailEndsResponse.ts';
import type { ListAuditEventsRequest as _audit_v1_ListAuditEventsRequest, ListAuditEventsRequest__Output as _audit_v1_ListAuditEventsRequest__Output } from '../../audit/v1/ListAuditEventsRequest.ts';
import type { ListAuditEventsResponse as _audit_v1_ListAuditEventsResponse, ListAuditEventsResponse__Output as _audit_v1_ListAuditEventsResponse__Output } from '../../audit/v1/ListAuditEventsResponse.ts';
import type { ListChannelAuditEventsRequest as _audit_v1_ListChannelAuditEventsRequest, ListChannelAuditEventsRequest__Output as _audit_v1_ListChannelAuditEventsRequest__Output } from '../../audit/v1/ListChannelAuditEventsRequest.ts';
import type { ListRegistryAuditEventsRequest as _audit_v1_ListRegistryAuditEventsRequest, ListRegistryAuditEventsRequest__Output as _audit_v1_ListRegistryAuditEventsRequest__Output } from '../../audit/v1/ListRegistryAuditEventsRequest.ts';

export interface AuditServiceClient extends grpc.Client {
  GetTrailEnds(argument: _audit_v1_GetTrailEndsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_GetTrailEndsResponse__Output>): grpc.ClientUnaryCall;
  GetTrailEnds(argument: _audit_v1_GetTrailEndsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_audit_v1_GetTrailEndsResponse__Output>): grpc.ClientUnaryCall;
  GetTrailEnds(argument: _audit_v1_GetTrailEndsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_GetTrailEndsResponse__Output>): grpc.ClientUnaryCall;
  GetTrailEnds(argument: _audit_v1_GetTrailEndsRequest, callback: grpc.requestCallback<_audit_v1_GetTrailEndsResponse__Output>): grpc.ClientUnaryCall;
  getTrailEnds(argument: _audit_v1_GetTrailEndsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_GetTrailEndsResponse__Output>): grpc.ClientUnaryCall;
  getTrailEnds(argument: _audit_v1_GetTrailEndsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_audit_v1_GetTrailEndsResponse__Output>): grpc.ClientUnaryCall;
  getTrailEnds(argument: _audit_v1_GetTrailEndsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_GetTrailEndsResponse__Output>): grpc.ClientUnaryCall;
  getTrailEnds(argument: _audit_v1_GetTrailEndsRequest, callback: grpc.requestCallback<_audit_v1_GetTrailEndsResponse__Output>): grpc.ClientUnaryCall;
  
  ListAuditEvents(argument: _audit_v1_ListAuditEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  ListAuditEvents(argument: _audit_v1_ListAuditEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  ListAuditEvents(argument: _audit_v1_ListAuditEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  ListAuditEvents(argument: _audit_v1_ListAuditEventsRequest, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listAuditEvents(argument: _audit_v1_ListAuditEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listAuditEvents(argument: _audit_v1_ListAuditEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listAuditEvents(argument: _audit_v1_ListAuditEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listAuditEvents(argument: _audit_v1_ListAuditEventsRequest, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  
  ListChannelAuditEvents(argument: _audit_v1_ListChannelAuditEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  ListChannelAuditEvents(argument: _audit_v1_ListChannelAuditEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  ListChannelAuditEvents(argument: _audit_v1_ListChannelAuditEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  ListChannelAuditEvents(argument: _audit_v1_ListChannelAuditEventsRequest, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listChannelAuditEvents(argument: _audit_v1_ListChannelAuditEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listChannelAuditEvents(argument: _audit_v1_ListChannelAuditEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listChannelAuditEvents(argument: _audit_v1_ListChannelAuditEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listChannelAuditEvents(argument: _audit_v1_ListChannelAuditEventsRequest, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  
  ListRegistryAuditEvents(argument: _audit_v1_ListRegistryAuditEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  ListRegistryAuditEvents(argument: _audit_v1_ListRegistryAuditEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  ListRegistryAuditEvents(argument: _audit_v1_ListRegistryAuditEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  ListRegistryAuditEvents(argument: _audit_v1_ListRegistryAuditEventsRequest, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listRegistryAuditEvents(argument: _audit_v1_ListRegistryAuditEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listRegistryAuditEvents(argument: _audit_v1_ListRegistryAuditEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listRegistryAuditEvents(argument: _audit_v1_ListRegistryAuditEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  listRegistryAuditEvents(argument: _audit_v1_ListRegistryAuditEventsRequest, callback: grpc.requestCallback<_audit_v1_ListAuditEventsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface AuditServiceHandlers extends grpc.UntypedServiceImplementation {
  GetTrailEnds: grpc.handleUnaryCall<_audit_v1_GetTrailEndsRequest__Output, _audit_v1_GetTrailEndsResponse>;
  
  ListAuditEvents: grpc.handleUnaryCall<_audit_v1_ListAuditEventsRequest__Output, _audit_v1_ListAuditEventsResponse>;
  
  ListChannelAuditEvents: grpc.handleUnaryCall<_audit_v1_ListChannelAuditEventsRequest__Output, _audit_v1_ListAuditEventsResponse>;
  
  ListRegistryAuditEvents: grpc.handleUnaryCall<_audit_v1_ListRegistryAuditEventsRequest__Output, _audit_v1_ListAuditEventsResponse>;
  
}

export interface AuditServiceDefinition extends grpc.ServiceDefinition {
  GetTrailEnds: MethodDefinition<_audit_v1_GetTrailEndsRequest, _audit_v1_GetTrailEndsResponse, _audit_v1_GetTrailEndsRequest__Output, _audit_v1_GetTrailEndsResponse__Output>
  ListAuditEvents: MethodDefinition<_audit_v1_ListAuditEventsRequest, _audit_v1_ListAuditEventsResponse, _audit_v1_ListAuditEventsRequest__Output, _audit_v1_ListAuditEventsResponse__Output>
  ListChannelAuditEvents: MethodDefinition<_audit_v1_ListChannelAuditEventsRequest, _audit_v1_ListAuditEventsResponse, _audit_v1_ListChannelAuditEventsRequest__Output, _audit_v1_ListAuditEventsResponse__Output>
  ListRegistryAuditEvents: MethodDefinition<_audit_v1_ListRegistryAuditEventsRequest, _audit_v1_ListAuditEventsResponse, _audit_v1_ListRegistryAuditEventsRequest__Output, _audit_v1_ListAuditEventsResponse__Output>
}
