// Original file: protos/traders/v1/traders.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AcceptProposalRequest as _traders_v1_AcceptProposalRequest, AcceptProposalRequest__Output as _traders_v1_AcceptProposalRequest__Output } from '../../traders/v1/AcceptProposalRequest.ts';
import type { CreateTraderRequest as _traders_v1_CreateTraderRequest, CreateTraderRequest__Output as _traders_v1_CreateTraderRequest__Output } from '../../traders/v1/CreateTraderRequest.ts';
import type { CreateTraderResponse as _traders_v1_CreateTraderResponse, CreateTraderResponse__Output as _traders_v1_CreateTraderResponse__Output } from '../../traders/v1/CreateTraderResponse.ts';
import type { GetTraderRequest as _traders_v1_GetTraderRequest, GetTraderRequest__Output as _traders_v1_GetTraderRequest__Output } from '../../traders/v1/GetTraderRequest.ts';
import type { ListProposalsRequest as _traders_v1_ListProposalsRequest, ListProposalsRequest__Output as _traders_v1_ListProposalsRequest__Output } from '../../traders/v1/ListProposalsRequest.ts';
import type { ListTradersRequest as _traders_v1_ListTradersRequest, ListTradersRequest__Output as _traders_v1_ListTradersRequest__Output } from '../../traders/v1/ListTradersRequest.ts';
import type { PageHolderProposalsRequest as _traders_v1_PageHolderProposalsRequest, PageHolderProposalsRequest__Output as _traders_v1_PageHolderProposalsRequest__Output } from '../../traders/v1/PageHolderProposalsRequest.ts';
import type { PageProposalsRequest as _traders_v1_PageProposalsRequest, PageProposalsRequest__Output as _traders_v1_PageProposalsRequest__Output } from '../../traders/v1/PageProposalsRequest.ts';
import type { PageProposalsResponse as _traders_v1_PageProposalsResponse, PageProposalsResponse__Output as _traders_v1_PageProposalsResponse__Output } from '../../traders/v1/PageProposalsResponse.ts';
import type { PageTradersRequest as _traders_v1_PageTradersRequest, PageTradersRequest__Output as _traders_v1_PageTradersRequest__Output } from '../../traders/v1/PageTradersRequest.ts';
import type { PageTradersResponse as _traders_v1_PageTradersResponse, PageTradersResponse__Output as _traders_v1_PageTradersResponse__Output } from '../../traders/v1/PageTradersResponse.ts';
import type { Proposal as _traders_v1_Proposal, Proposal__Output as _traders_v1_Proposal__Output } from '../../traders/v1/Proposal.ts';
import type { RejectProposalRequest as _traders_v1_RejectProposalRequest, RejectProposalRequest__Output as _traders_v1_RejectProposalRequest__Output } from '../../traders/v1/RejectProposalRequest.ts';
import type { Trader as _traders_v1_Trader, Trader__Output as _traders_v1_Trader__Output } from '../../traders/v1/Trader.ts';
import type { UpdateTraderRequest as _traders_v1_UpdateTraderRequest, UpdateTraderRequest__Output as _traders_v1_UpdateTraderRequest__Output } from '../../traders/v1/UpdateTraderRequest.ts';

export interface TradersServiceClient extends grpc.Client {
  AcceptProposal(argument: _traders_v1_AcceptProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  AcceptProposal(argument: _traders_v1_AcceptProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  AcceptProposal(argument: _traders_v1_AcceptProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  AcceptProposal(argument: _traders_v1_AcceptProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  acceptProposal(argument: _traders_v1_AcceptProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  acceptProposal(argument: _traders_v1_AcceptProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  acceptProposal(argument: _traders_v1_AcceptProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  acceptProposal(argument: _traders_v1_AcceptProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  
  CreateTrader(argument: _traders_v1_CreateTraderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_CreateTraderResponse__Output>): grpc.ClientUnaryCall;
  CreateTrader(argument: _traders_v1_CreateTraderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_CreateTraderResponse__Output>): grpc.ClientUnaryCall;
  CreateTrader(argument: _traders_v1_CreateTraderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_CreateTraderResponse__Output>): grpc.ClientUnaryCall;
  CreateTrader(argument: _traders_v1_CreateTraderRequest, callback: grpc.requestCallback<_traders_v1_CreateTraderResponse__Output>): grpc.ClientUnaryCall;
  createTrader(argument: _traders_v1_CreateTraderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_CreateTraderResponse__Output>): grpc.ClientUnaryCall;
  createTrader(argument: _traders_v1_CreateTraderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_CreateTraderResponse__Output>): grpc.ClientUnaryCall;
  createTrader(argument: _traders_v1_CreateTraderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_CreateTraderResponse__Output>): grpc.ClientUnaryCall;
  createTrader(argument: _traders_v1_CreateTraderRequest, callback: grpc.requestCallback<_traders_v1_CreateTraderResponse__Output>): grpc.ClientUnaryCall;
  
  GetTrader(argument: _traders_v1_GetTraderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  GetTrader(argument: _traders_v1_GetTraderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  GetTrader(argument: _traders_v1_GetTraderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  GetTrader(argument: _traders_v1_GetTraderRequest, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  getTrader(argument: _traders_v1_GetTraderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  getTrader(argument: _traders_v1_GetTraderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  getTrader(argument: _traders_v1_GetTraderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  getTrader(argument: _traders_v1_GetTraderRequest, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  
  ListProposals(argument: _traders_v1_ListProposalsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_traders_v1_Proposal__Output>;
  ListProposals(argument: _traders_v1_ListProposalsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_traders_v1_Proposal__Output>;
  listProposals(argument: _traders_v1_ListProposalsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_traders_v1_Proposal__Output>;
  listProposals(argument: _traders_v1_ListProposalsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_traders_v1_Proposal__Output>;
  
  ListTraders(argument: _traders_v1_ListTradersRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_traders_v1_Trader__Output>;
  ListTraders(argument: _traders_v1_ListTradersRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_traders_v1_Trader__Output>;
  listTraders(argument: _traders_v1_ListTradersRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_traders_v1_Trader__Output>;
  listTraders(argument: _traders_v1_ListTradersRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_traders_v1_Trader__Output>;
  
  PageHolderProposals(argument: _traders_v1_PageHolderProposalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  PageHolderProposals(argument: _traders_v1_PageHolderProposalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  PageHolderProposals(argument: _traders_v1_PageHolderProposalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  PageHolderProposals(argument: _traders_v1_PageHolderProposalsRequest, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageHolderProposals(argument: _traders_v1_PageHolderProposalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageHolderProposals(argument: _traders_v1_PageHolderProposalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageHolderProposals(argument: _traders_v1_PageHolderProposalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageHolderProposals(argument: _traders_v1_PageHolderProposalsRequest, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  
  PageProposals(argument: _traders_v1_PageProposalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  PageProposals(argument: _traders_v1_PageProposalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  PageProposals(argument: _traders_v1_PageProposalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  PageProposals(argument: _traders_v1_PageProposalsRequest, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageProposals(argument: _traders_v1_PageProposalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageProposals(argument: _traders_v1_PageProposalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageProposals(argument: _traders_v1_PageProposalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  pageProposals(argument: _traders_v1_PageProposalsRequest, callback: grpc.requestCallback<_traders_v1_PageProposalsResponse__Output>): grpc.ClientUnaryCall;
  
  PageTraders(argument: _traders_v1_PageTradersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageTradersResponse__Output>): grpc.ClientUnaryCall;
  PageTraders(argument: _traders_v1_PageTradersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_PageTradersResponse__Output>): grpc.ClientUnaryCall;
  PageTraders(argument: _traders_v1_PageTradersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageTradersResponse__Output>): grpc.ClientUnaryCall;
  PageTraders(argument: _traders_v1_PageTradersRequest, callback: grpc.requestCallback<_traders_v1_PageTradersResponse__Output>): grpc.ClientUnaryCall;
  pageTraders(argument: _traders_v1_PageTradersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageTradersResponse__Output>): grpc.ClientUnaryCall;
  pageTraders(argument: _traders_v1_PageTradersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_PageTradersResponse__Output>): grpc.ClientUnaryCall;
  pageTraders(argument: _traders_v1_PageTradersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageTradersResponse__Output>): grpc.ClientUnaryCall;
  pageTraders(argument: _traders_v1_PageTradersRequest, callback: grpc.requestCallback<_traders_v1_PageTradersResponse__Output>): grpc.ClientUnaryCall;
  
  RejectProposal(argument: _traders_v1_RejectProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  RejectProposal(argument: _traders_v1_RejectProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  RejectProposal(argument: _traders_v1_RejectProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  RejectProposal(argument: _traders_v1_RejectProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  rejectProposal(argument: _traders_v1_RejectProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  rejectProposal(argument: _traders_v1_RejectProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  rejectProposal(argument: _traders_v1_RejectProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  rejectProposal(argument: _traders_v1_RejectProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  
  UpdateTrader(argument: _traders_v1_UpdateTraderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  UpdateTrader(argument: _traders_v1_UpdateTraderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  UpdateTrader(argument: _traders_v1_UpdateTraderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  UpdateTrader(argument: _traders_v1_UpdateTraderRequest, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  updateTrader(argument: _traders_v1_UpdateTraderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  updateTrader(argument: _traders_v1_UpdateTraderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  updateTrader(argument: _traders_v1_UpdateTraderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  updateTrader(argument: _traders_v1_UpdateTraderRequest, callback: grpc.requestCallback<_traders_v1_Trader__Output>): grpc.ClientUnaryCall;
  
}

export interface TradersServiceHandlers extends grpc.UntypedServiceImplementation {
  AcceptProposal: grpc.handleUnaryCall<_traders_v1_AcceptProposalRequest__Output, _traders_v1_Proposal>;
  
  CreateTrader: grpc.handleUnaryCall<_traders_v1_CreateTraderRequest__Output, _traders_v1_CreateTraderResponse>;
  
  GetTrader: grpc.handleUnaryCall<_traders_v1_GetTraderRequest__Output, _traders_v1_Trader>;
  
  ListProposals: grpc.handleServerStreamingCall<_traders_v1_ListProposalsRequest__Output, _traders_v1_Proposal>;
  
  ListTraders: grpc.handleServerStreamingCall<_traders_v1_ListTradersRequest__Output, _traders_v1_Trader>;
  
  PageHolderProposals: grpc.handleUnaryCall<_traders_v1_PageHolderProposalsRequest__Output, _traders_v1_PageProposalsResponse>;
  
  PageProposals: grpc.handleUnaryCall<_traders_v1_PageProposalsRequest__Output, _traders_v1_PageProposalsResponse>;
  
  PageTraders: grpc.handleUnaryCall<_traders_v1_PageTradersRequest__Output, _traders_v1_PageTradersResponse>;
  
  RejectProposal: grpc.handleUnaryCall<_traders_v1_RejectProposalRequest__Output, _traders_v1_Proposal>;
  
  UpdateTrader: grpc.handleUnaryCall<_traders_v1_UpdateTraderRequest__Output, _traders_v1_Trader>;
  
}

export interface TradersServiceDefinition extends grpc.ServiceDefinition {
  AcceptProposal: MethodDefinition<_traders_v1_AcceptProposalRequest, _traders_v1_Proposal, _traders_v1_AcceptProposalRequest__Output, _traders_v1_Proposal__Output>
  CreateTrader: MethodDefinition<_traders_v1_CreateTraderRequest, _traders_v1_CreateTraderResponse, _traders_v1_CreateTraderRequest__Output, _traders_v1_CreateTraderResponse__Output>
  GetTrader: MethodDefinition<_traders_v1_GetTraderRequest, _traders_v1_Trader, _traders_v1_GetTraderRequest__Output, _traders_v1_Trader__Output>
  ListProposals: MethodDefinition<_traders_v1_ListProposalsRequest, _traders_v1_Proposal, _traders_v1_ListProposalsRequest__Output, _traders_v1_Proposal__Output>
  ListTraders: MethodDefinition<_traders_v1_ListTradersRequest, _traders_v1_Trader, _traders_v1_ListTradersRequest__Output, _traders_v1_Trader__Output>
  PageHolderProposals: MethodDefinition<_traders_v1_PageHolderProposalsRequest, _traders_v1_PageProposalsResponse, _traders_v1_PageHolderProposalsRequest__Output, _traders_v1_PageProposalsResponse__Output>
  PageProposals: MethodDefinition<_traders_v1_PageProposalsRequest, _traders_v1_PageProposalsResponse, _traders_v1_PageProposalsRequest__Output, _traders_v1_PageProposalsResponse__Output>
  PageTraders: MethodDefinition<_traders_v1_PageTradersRequest, _traders_v1_PageTradersResponse, _traders_v1_PageTradersRequest__Output, _traders_v1_PageTradersResponse__Output>
  RejectProposal: MethodDefinition<_traders_v1_RejectProposalRequest, _traders_v1_Proposal, _traders_v1_RejectProposalRequest__Output, _traders_v1_Proposal__Output>
  UpdateTrader: MethodDefinition<_traders_v1_UpdateTraderRequest, _traders_v1_Trader, _traders_v1_UpdateTraderRequest__Output, _traders_v1_Trader__Output>
}
