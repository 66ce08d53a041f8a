// Original file: protos/traders/v1/traders.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { FindOnboardedTradersRequest as _traders_v1_FindOnboardedTradersRequest, FindOnboardedTradersRequest__Output as _traders_v1_FindOnboardedTradersRequest__Output } from '../../traders/v1/FindOnboardedTradersRequest.ts';
import type { FindOnboardedTradersResponse as _traders_v1_FindOnboardedTradersResponse, FindOnboardedTradersResponse__Output as _traders_v1_FindOnboardedTradersResponse__Output } from '../../traders/v1/FindOnboardedTradersResponse.ts';
import type { GetPartiesRequest as _traders_v1_GetPartiesRequest, GetPartiesRequest__Output as _traders_v1_GetPartiesRequest__Output } from '../../traders/v1/GetPartiesRequest.ts';
import type { GetPartiesResponse as _traders_v1_GetPartiesResponse, GetPartiesResponse__Output as _traders_v1_GetPartiesResponse__Output } from '../../traders/v1/GetPartiesResponse.ts';
import type { Proposal as _traders_v1_Proposal, Proposal__Output as _traders_v1_Proposal__Output } from '../../traders/v1/Proposal.ts';
import type { SubmitProposalRequest as _traders_v1_SubmitProposalRequest, SubmitProposalRequest__Output as _traders_v1_SubmitProposalRequest__Output } from '../../traders/v1/SubmitProposalRequest.ts';

export interface TraderDirectoryServiceClient extends grpc.Client {
  FindOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  FindOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  FindOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  FindOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  findOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  findOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  findOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  findOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  
  GetParties(argument: _traders_v1_GetPartiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  GetParties(argument: _traders_v1_GetPartiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  GetParties(argument: _traders_v1_GetPartiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  GetParties(argument: _traders_v1_GetPartiesRequest, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  getParties(argument: _traders_v1_GetPartiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  getParties(argument: _traders_v1_GetPartiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  getParties(argument: _traders_v1_GetPartiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  getParties(argument: _traders_v1_GetPartiesRequest, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  
  SubmitProposal(argument: _traders_v1_SubmitProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitProposal(argument: _traders_v1_SubmitProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitProposal(argument: _traders_v1_SubmitProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitProposal(argument: _traders_v1_SubmitProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitProposal(argument: _traders_v1_SubmitProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitProposal(argument: _traders_v1_SubmitProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitProposal(argument: _traders_v1_SubmitProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitProposal(argument: _traders_v1_SubmitProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  
}

export interface TraderDirectoryServiceHandlers extends grpc.UntypedServiceImplementation {
  FindOnboardedTraders: grpc.handleUnaryCall<_traders_v1_FindOnboardedTradersRequest__Output, _traders_v1_FindOnboardedTradersResponse>;
  
  GetParties: grpc.handleUnaryCall<_traders_v1_GetPartiesRequest__Output, _traders_v1_GetPartiesResponse>;
  
  SubmitProposal: grpc.handleUnaryCall<_traders_v1_SubmitProposalRequest__Output, _traders_v1_Proposal>;
  
}

export interface TraderDirectoryServiceDefinition extends grpc.ServiceDefinition {
  FindOnboardedTraders: MethodDefinition<_traders_v1_FindOnboardedTradersRequest, _traders_v1_FindOnboardedTradersResponse, _traders_v1_FindOnboardedTradersRequest__Output, _traders_v1_FindOnboardedTradersResponse__Output>
  GetParties: MethodDefinition<_traders_v1_GetPartiesRequest, _traders_v1_GetPartiesResponse, _traders_v1_GetPartiesRequest__Output, _traders_v1_GetPartiesResponse__Output>
  SubmitProposal: MethodDefinition<_traders_v1_SubmitProposalRequest, _traders_v1_Proposal, _traders_v1_SubmitProposalRequest__Output, _traders_v1_Proposal__Output>
}
