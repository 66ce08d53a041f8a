// Original file: protos/traders/v1/traders.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DescribePartiesRequest as _traders_v1_DescribePartiesRequest, DescribePartiesRequest__Output as _traders_v1_DescribePartiesRequest__Output } from '../../traders/v1/DescribePartiesRequest.ts';
import type { DescribePartiesResponse as _traders_v1_DescribePartiesResponse, DescribePartiesResponse__Output as _traders_v1_DescribePartiesResponse__Output } from '../../traders/v1/DescribePartiesResponse.ts';
import type { FindOnboardedTradersRequest as _traders_v1_FindOnboardedTradersRequest, FindOnboardedTradersRequest__Output as _traders_v1_FindOnboardedTradersRequest__Output } from '../../traders/v1/FindOnboardedTradersRequest.ts';
import type { FindOnboardedTradersResponse as _traders_v1_FindOnboardedTradersResponse, FindOnboardedTradersResponse__Output as _traders_v1_FindOnboardedTradersResponse__Output } from '../../traders/v1/FindOnboardedTradersResponse.ts';
import type { FindSubmittedProposalRequest as _traders_v1_FindSubmittedProposalRequest, FindSubmittedProposalRequest__Output as _traders_v1_FindSubmittedProposalRequest__Output } from '../../traders/v1/FindSubmittedProposalRequest.ts';
import type { FindTradersOfHolderRequest as _traders_v1_FindTradersOfHolderRequest, FindTradersOfHolderRequest__Output as _traders_v1_FindTradersOfHolderRequest__Output } from '../../traders/v1/FindTradersOfHolderRequest.ts';
import type { FindTradersOfHolderResponse as _traders_v1_FindTradersOfHolderResponse, FindTradersOfHolderResponse__Output as _traders_v1_FindTradersOfHolderResponse__Output } from '../../traders/v1/FindTradersOfHolderResponse.ts';
import type { GetPartiesRequest as _traders_v1_GetPartiesRequest, GetPartiesRequest__Output as _traders_v1_GetPartiesRequest__Output } from '../../traders/v1/GetPartiesRequest.ts';
import type { GetPartiesResponse as _traders_v1_GetPartiesResponse, GetPartiesResponse__Output as _traders_v1_GetPartiesResponse__Output } from '../../traders/v1/GetPartiesResponse.ts';
import type { PageSubmittedProposalsRequest as _traders_v1_PageSubmittedProposalsRequest, PageSubmittedProposalsRequest__Output as _traders_v1_PageSubmittedProposalsRequest__Output } from '../../traders/v1/PageSubmittedProposalsRequest.ts';
import type { PageSubmittedProposalsResponse as _traders_v1_PageSubmittedProposalsResponse, PageSubmittedProposalsResponse__Output as _traders_v1_PageSubmittedProposalsResponse__Output } from '../../traders/v1/PageSubmittedProposalsResponse.ts';
import type { Proposal as _traders_v1_Proposal, Proposal__Output as _traders_v1_Proposal__Output } from '../../traders/v1/Proposal.ts';
import type { SubmitHolderProposalRequest as _traders_v1_SubmitHolderProposalRequest, SubmitHolderProposalRequest__Output as _traders_v1_SubmitHolderProposalRequest__Output } from '../../traders/v1/SubmitHolderProposalRequest.ts';
import type { SubmitProposalRequest as _traders_v1_SubmitProposalRequest, SubmitProposalRequest__Output as _traders_v1_SubmitProposalRequest__Output } from '../../traders/v1/SubmitProposalRequest.ts';

export interface TraderDirectoryServiceClient extends grpc.Client {
  DescribeParties(argument: _traders_v1_DescribePartiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_DescribePartiesResponse__Output>): grpc.ClientUnaryCall;
  DescribeParties(argument: _traders_v1_DescribePartiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_DescribePartiesResponse__Output>): grpc.ClientUnaryCall;
  DescribeParties(argument: _traders_v1_DescribePartiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_DescribePartiesResponse__Output>): grpc.ClientUnaryCall;
  DescribeParties(argument: _traders_v1_DescribePartiesRequest, callback: grpc.requestCallback<_traders_v1_DescribePartiesResponse__Output>): grpc.ClientUnaryCall;
  describeParties(argument: _traders_v1_DescribePartiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_DescribePartiesResponse__Output>): grpc.ClientUnaryCall;
  describeParties(argument: _traders_v1_DescribePartiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_DescribePartiesResponse__Output>): grpc.ClientUnaryCall;
  describeParties(argument: _traders_v1_DescribePartiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_DescribePartiesResponse__Output>): grpc.ClientUnaryCall;
  describeParties(argument: _traders_v1_DescribePartiesRequest, callback: grpc.requestCallback<_traders_v1_DescribePartiesResponse__Output>): grpc.ClientUnaryCall;
  
  FindOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  FindOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  FindOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  FindOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  findOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  findOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  findOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  findOnboardedTraders(argument: _traders_v1_FindOnboardedTradersRequest, callback: grpc.requestCallback<_traders_v1_FindOnboardedTradersResponse__Output>): grpc.ClientUnaryCall;
  
  FindSubmittedProposal(argument: _traders_v1_FindSubmittedProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  FindSubmittedProposal(argument: _traders_v1_FindSubmittedProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  FindSubmittedProposal(argument: _traders_v1_FindSubmittedProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  FindSubmittedProposal(argument: _traders_v1_FindSubmittedProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  findSubmittedProposal(argument: _traders_v1_FindSubmittedProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  findSubmittedProposal(argument: _traders_v1_FindSubmittedProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  findSubmittedProposal(argument: _traders_v1_FindSubmittedProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  findSubmittedProposal(argument: _traders_v1_FindSubmittedProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  
  FindTradersOfHolder(argument: _traders_v1_FindTradersOfHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindTradersOfHolderResponse__Output>): grpc.ClientUnaryCall;
  FindTradersOfHolder(argument: _traders_v1_FindTradersOfHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_FindTradersOfHolderResponse__Output>): grpc.ClientUnaryCall;
  FindTradersOfHolder(argument: _traders_v1_FindTradersOfHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindTradersOfHolderResponse__Output>): grpc.ClientUnaryCall;
  FindTradersOfHolder(argument: _traders_v1_FindTradersOfHolderRequest, callback: grpc.requestCallback<_traders_v1_FindTradersOfHolderResponse__Output>): grpc.ClientUnaryCall;
  findTradersOfHolder(argument: _traders_v1_FindTradersOfHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindTradersOfHolderResponse__Output>): grpc.ClientUnaryCall;
  findTradersOfHolder(argument: _traders_v1_FindTradersOfHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_FindTradersOfHolderResponse__Output>): grpc.ClientUnaryCall;
  findTradersOfHolder(argument: _traders_v1_FindTradersOfHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_FindTradersOfHolderResponse__Output>): grpc.ClientUnaryCall;
  findTradersOfHolder(argument: _traders_v1_FindTradersOfHolderRequest, callback: grpc.requestCallback<_traders_v1_FindTradersOfHolderResponse__Output>): grpc.ClientUnaryCall;
  
  GetParties(argument: _traders_v1_GetPartiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  GetParties(argument: _traders_v1_GetPartiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  GetParties(argument: _traders_v1_GetPartiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  GetParties(argument: _traders_v1_GetPartiesRequest, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  getParties(argument: _traders_v1_GetPartiesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  getParties(argument: _traders_v1_GetPartiesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  getParties(argument: _traders_v1_GetPartiesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  getParties(argument: _traders_v1_GetPartiesRequest, callback: grpc.requestCallback<_traders_v1_GetPartiesResponse__Output>): grpc.ClientUnaryCall;
  
  PageSubmittedProposals(argument: _traders_v1_PageSubmittedProposalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  PageSubmittedProposals(argument: _traders_v1_PageSubmittedProposalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  PageSubmittedProposals(argument: _traders_v1_PageSubmittedProposalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  PageSubmittedProposals(argument: _traders_v1_PageSubmittedProposalsRequest, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageSubmittedProposals(argument: _traders_v1_PageSubmittedProposalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageSubmittedProposals(argument: _traders_v1_PageSubmittedProposalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageSubmittedProposals(argument: _traders_v1_PageSubmittedProposalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageSubmittedProposals(argument: _traders_v1_PageSubmittedProposalsRequest, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  
  SubmitHolderProposal(argument: _traders_v1_SubmitHolderProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitHolderProposal(argument: _traders_v1_SubmitHolderProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitHolderProposal(argument: _traders_v1_SubmitHolderProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitHolderProposal(argument: _traders_v1_SubmitHolderProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitHolderProposal(argument: _traders_v1_SubmitHolderProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitHolderProposal(argument: _traders_v1_SubmitHolderProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitHolderProposal(argument: _traders_v1_SubmitHolderProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitHolderProposal(argument: _traders_v1_SubmitHolderProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  
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
  DescribeParties: grpc.handleUnaryCall<_traders_v1_DescribePartiesRequest__Output, _traders_v1_DescribePartiesResponse>;
  
  FindOnboardedTraders: grpc.handleUnaryCall<_traders_v1_FindOnboardedTradersRequest__Output, _traders_v1_FindOnboardedTradersResponse>;
  
  FindSubmittedProposal: grpc.handleUnaryCall<_traders_v1_FindSubmittedProposalRequest__Output, _traders_v1_Proposal>;
  
  FindTradersOfHolder: grpc.handleUnaryCall<_traders_v1_FindTradersOfHolderRequest__Output, _traders_v1_FindTradersOfHolderResponse>;
  
  GetParties: grpc.handleUnaryCall<_traders_v1_GetPartiesRequest__Output, _traders_v1_GetPartiesResponse>;
  
  PageSubmittedProposals: grpc.handleUnaryCall<_traders_v1_PageSubmittedProposalsRequest__Output, _traders_v1_PageSubmittedProposalsResponse>;
  
  SubmitHolderProposal: grpc.handleUnaryCall<_traders_v1_SubmitHolderProposalRequest__Output, _traders_v1_Proposal>;
  
  SubmitProposal: grpc.handleUnaryCall<_traders_v1_SubmitProposalRequest__Output, _traders_v1_Proposal>;
  
}

export interface TraderDirectoryServiceDefinition extends grpc.ServiceDefinition {
  DescribeParties: MethodDefinition<_traders_v1_DescribePartiesRequest, _traders_v1_DescribePartiesResponse, _traders_v1_DescribePartiesRequest__Output, _traders_v1_DescribePartiesResponse__Output>
  FindOnboardedTraders: MethodDefinition<_traders_v1_FindOnboardedTradersRequest, _traders_v1_FindOnboardedTradersResponse, _traders_v1_FindOnboardedTradersRequest__Output, _traders_v1_FindOnboardedTradersResponse__Output>
  FindSubmittedProposal: MethodDefinition<_traders_v1_FindSubmittedProposalRequest, _traders_v1_Proposal, _traders_v1_FindSubmittedProposalRequest__Output, _traders_v1_Proposal__Output>
  FindTradersOfHolder: MethodDefinition<_traders_v1_FindTradersOfHolderRequest, _traders_v1_FindTradersOfHolderResponse, _traders_v1_FindTradersOfHolderRequest__Output, _traders_v1_FindTradersOfHolderResponse__Output>
  GetParties: MethodDefinition<_traders_v1_GetPartiesRequest, _traders_v1_GetPartiesResponse, _traders_v1_GetPartiesRequest__Output, _traders_v1_GetPartiesResponse__Output>
  PageSubmittedProposals: MethodDefinition<_traders_v1_PageSubmittedProposalsRequest, _traders_v1_PageSubmittedProposalsResponse, _traders_v1_PageSubmittedProposalsRequest__Output, _traders_v1_PageSubmittedProposalsResponse__Output>
  SubmitHolderProposal: MethodDefinition<_traders_v1_SubmitHolderProposalRequest, _traders_v1_Proposal, _traders_v1_SubmitHolderProposalRequest__Output, _traders_v1_Proposal__Output>
  SubmitProposal: MethodDefinition<_traders_v1_SubmitProposalRequest, _traders_v1_Proposal, _traders_v1_SubmitProposalRequest__Output, _traders_v1_Proposal__Output>
}
