// Original file: protos/common/v1/activity.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Activity as _common_v1_Activity, Activity__Output as _common_v1_Activity__Output } from '../../common/v1/Activity.ts';
import type { GetActivityRequest as _common_v1_GetActivityRequest, GetActivityRequest__Output as _common_v1_GetActivityRequest__Output } from '../../common/v1/GetActivityRequest.ts';

export interface ActivityServiceClient extends grpc.Client {
  GetActivity(argument: _common_v1_GetActivityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_Activity__Output>): grpc.ClientUnaryCall;
  GetActivity(argument: _common_v1_GetActivityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_Activity__Output>): grpc.ClientUnaryCall;
  GetActivity(argument: _common_v1_GetActivityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_Activity__Output>): grpc.ClientUnaryCall;
  GetActivity(argument: _common_v1_GetActivityRequest, callback: grpc.requestCallback<_common_v1_Activity__Output>): grpc.ClientUnaryCall;
  getActivity(argument: _common_v1_GetActivityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_Activity__Output>): grpc.ClientUnaryCall;
  getActivity(argument: _common_v1_GetActivityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_common_v1_Activity__Output>): grpc.ClientUnaryCall;
  getActivity(argument: _common_v1_GetActivityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_common_v1_Activity__Output>): grpc.ClientUnaryCall;
  getActivity(argument: _common_v1_GetActivityRequest, callback: grpc.requestCallback<_common_v1_Activity__Output>): grpc.ClientUnaryCall;
  
}

export interface ActivityServiceHandlers extends grpc.UntypedServiceImplementation {
  GetActivity: grpc.handleUnaryCall<_common_v1_GetActivityRequest__Output, _common_v1_Activity>;
  
}

export interface ActivityServiceDefinition extends grpc.ServiceDefinition {
  GetActivity: MethodDefinition<_common_v1_GetActivityRequest, _common_v1_Activity, _common_v1_GetActivityRequest__Output, _common_v1_Activity__Output>
}
