// Original file: protos/common/v1/ledger_progress.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetLedgerProgressRequest as _common_v1_GetLedgerProgressRequest, GetLedgerProgressRequest__Output as _common_v1_GetLedgerProgressRequest__Output } from '../../common/v1/GetLedgerProgressRequest.ts';
import type { LedgerProgress as _common_v1_LedgerProgress, LedgerProgress__Output as _common_v1_LedgerProgress__Output } from '../../common/v1/LedgerProgress.ts';

export interface LedgerProgressServiceClient extends grpc.Client {
  GetLedgerProgress(argument: _common_v1_GetLedgerProgressRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_LedgerProgress__Output>;
  GetLedgerProgress(argument: _common_v1_GetLedgerProgressRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_LedgerProgress__Output>;
  getLedgerProgress(argument: _common_v1_GetLedgerProgressRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_LedgerProgress__Output>;
  getLedgerProgress(argument: _common_v1_GetLedgerProgressRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_common_v1_LedgerProgress__Output>;
  
}

export interface LedgerProgressServiceHandlers extends grpc.UntypedServiceImplementation {
  GetLedgerProgress: grpc.handleServerStreamingCall<_common_v1_GetLedgerProgressRequest__Output, _common_v1_LedgerProgress>;
  
}

export interface LedgerProgressServiceDefinition extends grpc.ServiceDefinition {
  GetLedgerProgress: MethodDefinition<_common_v1_GetLedgerProgressRequest, _common_v1_LedgerProgress, _common_v1_GetLedgerProgressRequest__Output, _common_v1_LedgerProgress__Output>
}
