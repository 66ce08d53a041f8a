// Original file: protos/sandbox/v1/sandbox.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ResetRequest as _sandbox_v1_ResetRequest, ResetRequest__Output as _sandbox_v1_ResetRequest__Output } from '../../sandbox/v1/ResetRequest.ts';
import type { ResetResponse as _sandbox_v1_ResetResponse, ResetResponse__Output as _sandbox_v1_ResetResponse__Output } from '../../sandbox/v1/ResetResponse.ts';
import type { TriggerRequest as _sandbox_v1_TriggerRequest, TriggerRequest__Output as _sandbox_v1_TriggerRequest__Output } from '../../sandbox/v1/TriggerRequest.ts';
import type { TriggerResponse as _sandbox_v1_TriggerResponse, TriggerResponse__Output as _sandbox_v1_TriggerResponse__Output } from '../../sandbox/v1/TriggerResponse.ts';

export interface SandboxServiceClient extends grpc.Client {
  Reset(argument: _sandbox_v1_ResetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sandbox_v1_ResetResponse__Output>): grpc.ClientUnaryCall;
  Reset(argument: _sandbox_v1_ResetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sandbox_v1_ResetResponse__Output>): grpc.ClientUnaryCall;
  Reset(argument: _sandbox_v1_ResetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sandbox_v1_ResetResponse__Output>): grpc.ClientUnaryCall;
  Reset(argument: _sandbox_v1_ResetRequest, callback: grpc.requestCallback<_sandbox_v1_ResetResponse__Output>): grpc.ClientUnaryCall;
  reset(argument: _sandbox_v1_ResetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sandbox_v1_ResetResponse__Output>): grpc.ClientUnaryCall;
  reset(argument: _sandbox_v1_ResetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sandbox_v1_ResetResponse__Output>): grpc.ClientUnaryCall;
  reset(argument: _sandbox_v1_ResetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sandbox_v1_ResetResponse__Output>): grpc.ClientUnaryCall;
  reset(argument: _sandbox_v1_ResetRequest, callback: grpc.requestCallback<_sandbox_v1_ResetResponse__Output>): grpc.ClientUnaryCall;
  
  Trigger(argument: _sandbox_v1_TriggerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sandbox_v1_TriggerResponse__Output>): grpc.ClientUnaryCall;
  Trigger(argument: _sandbox_v1_TriggerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sandbox_v1_TriggerResponse__Output>): grpc.ClientUnaryCall;
  Trigger(argument: _sandbox_v1_TriggerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sandbox_v1_TriggerResponse__Output>): grpc.ClientUnaryCall;
  Trigger(argument: _sandbox_v1_TriggerRequest, callback: grpc.requestCallback<_sandbox_v1_TriggerResponse__Output>): grpc.ClientUnaryCall;
  trigger(argument: _sandbox_v1_TriggerRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_sandbox_v1_TriggerResponse__Output>): grpc.ClientUnaryCall;
  trigger(argument: _sandbox_v1_TriggerRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_sandbox_v1_TriggerResponse__Output>): grpc.ClientUnaryCall;
  trigger(argument: _sandbox_v1_TriggerRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_sandbox_v1_TriggerResponse__Output>): grpc.ClientUnaryCall;
  trigger(argument: _sandbox_v1_TriggerRequest, callback: grpc.requestCallback<_sandbox_v1_TriggerResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface SandboxServiceHandlers extends grpc.UntypedServiceImplementation {
  Reset: grpc.handleUnaryCall<_sandbox_v1_ResetRequest__Output, _sandbox_v1_ResetResponse>;
  
  Trigger: grpc.handleUnaryCall<_sandbox_v1_TriggerRequest__Output, _sandbox_v1_TriggerResponse>;
  
}

export interface SandboxServiceDefinition extends grpc.ServiceDefinition {
  Reset: MethodDefinition<_sandbox_v1_ResetRequest, _sandbox_v1_ResetResponse, _sandbox_v1_ResetRequest__Output, _sandbox_v1_ResetResponse__Output>
  Trigger: MethodDefinition<_sandbox_v1_TriggerRequest, _sandbox_v1_TriggerResponse, _sandbox_v1_TriggerRequest__Output, _sandbox_v1_TriggerResponse__Output>
}
