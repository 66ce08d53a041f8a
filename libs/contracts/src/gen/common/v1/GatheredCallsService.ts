// Original file: protos/common/v1/gathered_calls.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CarryOutRequest as _common_v1_CarryOutRequest, CarryOutRequest__Output as _common_v1_CarryOutRequest__Output } from '../../common/v1/CarryOutRequest.ts';
import type { CarryOutResponse as _common_v1_CarryOutResponse, CarryOutResponse__Output as _common_v1_CarryOutResponse__Output } from '../../common/v1/CarryOutResponse.ts';

export interface GatheredCallsServiceClient extends grpc.Client {
  CarryOut(argument: _common_v1_CarryOutRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_CarryOutResponse__Output>;
  CarryOut(argument: _common_v1_CarryOutRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_CarryOutResponse__Output>;
  carryOut(argument: _common_v1_CarryOutRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_CarryOutResponse__Output>;
  carryOut(argument: _common_v1_CarryOutRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_CarryOutResponse__Output>;
  
}

export interface GatheredCallsServiceHandlers extends grpc.UntypedServiceImplementation {
  CarryOut: grpc.handleServerStreamingCall<_common_v1_CarryOutRequest__Output, _common_v1_CarryOutResponse>;
  
}

export interface GatheredCallsServiceDefinition extends grpc.ServiceDefinition {
  CarryOut: MethodDefinition<_common_v1_CarryOutRequest, _common_v1_CarryOutResponse, _common_v1_CarryOutRequest__Output, _common_v1_CarryOutResponse__Output>
}
