// Original file: protos/common/v1/look_up.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { LookUpRequest as _common_v1_LookUpRequest, LookUpRequest__Output as _common_v1_LookUpRequest__Output } from '../../common/v1/LookUpRequest.ts';
import type { LookUpResponse as _common_v1_LookUpResponse, LookUpResponse__Output as _common_v1_LookUpResponse__Output } from '../../common/v1/LookUpResponse.ts';

export interface LookUpServiceClient extends grpc.Client {
  LookUp(argument: _common_v1_LookUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_LookUpResponse__Output>): grpc.ClientUnaryCall;
  LookUp(argument: _common_v1_LookUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_LookUpResponse__Output>): grpc.ClientUnaryCall;
  LookUp(argument: _common_v1_LookUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_LookUpResponse__Output>): grpc.ClientUnaryCall;
  LookUp(argument: _common_v1_LookUpRequest, callback: grpc.requestCallback<_common_v1_LookUpResponse__Output>): grpc.ClientUnaryCall;
  lookUp(argument: _common_v1_LookUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_LookUpResponse__Output>): grpc.ClientUnaryCall;
  lookUp(argument: _common_v1_LookUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_LookUpResponse__Output>): grpc.ClientUnaryCall;
  lookUp(argument: _common_v1_LookUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_LookUpResponse__Output>): grpc.ClientUnaryCall;
  lookUp(argument: _common_v1_LookUpRequest, callback: grpc.requestCallback<_common_v1_LookUpResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface LookUpServiceHandlers extends grpc.UntypedServiceImplementation {
  LookUp: grpc.handleUnaryCall<_common_v1_LookUpRequest__Output, _common_v1_LookUpResponse>;
  
}

export interface LookUpServiceDefinition extends grpc.ServiceDefinition {
  LookUp: MethodDefinition<_common_v1_LookUpRequest, _common_v1_LookUpResponse, _common_v1_LookUpRequest__Output, _common_v1_LookUpResponse__Output>
}
