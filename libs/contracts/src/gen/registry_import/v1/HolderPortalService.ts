// Original file: protos/registry_import/v1/registry_import.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AccountHolder as _registry_import_v1_AccountHolder, AccountHolder__Output as _registry_import_v1_AccountHolder__Output } from '../../registry_import/v1/AccountHolder.ts';
import type { GetOwnHolderRequest as _registry_import_v1_GetOwnHolderRequest, GetOwnHolderRequest__Output as _registry_import_v1_GetOwnHolderRequest__Output } from '../../registry_import/v1/GetOwnHolderRequest.ts';
import type { OnrampHoldingsRequest as _registry_import_v1_OnrampHoldingsRequest, OnrampHoldingsRequest__Output as _registry_import_v1_OnrampHoldingsRequest__Output } from '../../registry_import/v1/OnrampHoldingsRequest.ts';
import type { OnrampResponse as _inventory_v1_OnrampResponse, OnrampResponse__Output as _inventory_v1_OnrampResponse__Output } from '../../inventory/v1/OnrampResponse.ts';
import type { Proposal as _traders_v1_Proposal, Proposal__Output as _traders_v1_Proposal__Output } from '../../traders/v1/Proposal.ts';
import type { SubmitHolderProposalRequest as _registry_import_v1_SubmitHolderProposalRequest, SubmitHolderProposalRequest__Output as _registry_import_v1_SubmitHolderProposalRequest__Output } from '../../registry_import/v1/SubmitHolderProposalRequest.ts';
import type { UpdateOwnHolderRequest as _registry_import_v1_UpdateOwnHolderRequest, UpdateOwnHolderRequest__Output as _registry_import_v1_UpdateOwnHolderRequest__Output } from '../../registry_import/v1/UpdateOwnHolderRequest.ts';

export interface HolderPortalServiceClient extends grpc.Client {
  GetOwnHolder(argument: _registry_import_v1_GetOwnHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  GetOwnHolder(argument: _registry_import_v1_GetOwnHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  GetOwnHolder(argument: _registry_import_v1_GetOwnHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  GetOwnHolder(argument: _registry_import_v1_GetOwnHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  getOwnHolder(argument: _registry_import_v1_GetOwnHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  getOwnHolder(argument: _registry_import_v1_GetOwnHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  getOwnHolder(argument: _registry_import_v1_GetOwnHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  getOwnHolder(argument: _registry_import_v1_GetOwnHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  
  OnrampHoldings(argument: _registry_import_v1_OnrampHoldingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  OnrampHoldings(argument: _registry_import_v1_OnrampHoldingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  OnrampHoldings(argument: _registry_import_v1_OnrampHoldingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  OnrampHoldings(argument: _registry_import_v1_OnrampHoldingsRequest, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onrampHoldings(argument: _registry_import_v1_OnrampHoldingsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onrampHoldings(argument: _registry_import_v1_OnrampHoldingsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onrampHoldings(argument: _registry_import_v1_OnrampHoldingsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onrampHoldings(argument: _registry_import_v1_OnrampHoldingsRequest, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  
  SubmitHolderProposal(argument: _registry_import_v1_SubmitHolderProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitHolderProposal(argument: _registry_import_v1_SubmitHolderProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitHolderProposal(argument: _registry_import_v1_SubmitHolderProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitHolderProposal(argument: _registry_import_v1_SubmitHolderProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitHolderProposal(argument: _registry_import_v1_SubmitHolderProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitHolderProposal(argument: _registry_import_v1_SubmitHolderProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitHolderProposal(argument: _registry_import_v1_SubmitHolderProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitHolderProposal(argument: _registry_import_v1_SubmitHolderProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  
  UpdateOwnHolder(argument: _registry_import_v1_UpdateOwnHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  UpdateOwnHolder(argument: _registry_import_v1_UpdateOwnHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  UpdateOwnHolder(argument: _registry_import_v1_UpdateOwnHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  UpdateOwnHolder(argument: _registry_import_v1_UpdateOwnHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  updateOwnHolder(argument: _registry_import_v1_UpdateOwnHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  updateOwnHolder(argument: _registry_import_v1_UpdateOwnHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  updateOwnHolder(argument: _registry_import_v1_UpdateOwnHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  updateOwnHolder(argument: _registry_import_v1_UpdateOwnHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  
}

export interface HolderPortalServiceHandlers extends grpc.UntypedServiceImplementation {
  GetOwnHolder: grpc.handleUnaryCall<_registry_import_v1_GetOwnHolderRequest__Output, _registry_import_v1_AccountHolder>;
  
  OnrampHoldings: grpc.handleUnaryCall<_registry_import_v1_OnrampHoldingsRequest__Output, _inventory_v1_OnrampResponse>;
  
  SubmitHolderProposal: grpc.handleUnaryCall<_registry_import_v1_SubmitHolderProposalRequest__Output, _traders_v1_Proposal>;
  
  UpdateOwnHolder: grpc.handleUnaryCall<_registry_import_v1_UpdateOwnHolderRequest__Output, _registry_import_v1_AccountHolder>;
  
}

export interface HolderPortalServiceDefinition extends grpc.ServiceDefinition {
  GetOwnHolder: MethodDefinition<_registry_import_v1_GetOwnHolderRequest, _registry_import_v1_AccountHolder, _registry_import_v1_GetOwnHolderRequest__Output, _registry_import_v1_AccountHolder__Output>
  OnrampHoldings: MethodDefinition<_registry_import_v1_OnrampHoldingsRequest, _inventory_v1_OnrampResponse, _registry_import_v1_OnrampHoldingsRequest__Output, _inventory_v1_OnrampResponse__Output>
  SubmitHolderProposal: MethodDefinition<_registry_import_v1_SubmitHolderProposalRequest, _traders_v1_Proposal, _registry_import_v1_SubmitHolderProposalRequest__Output, _traders_v1_Proposal__Output>
  UpdateOwnHolder: MethodDefinition<_registry_import_v1_UpdateOwnHolderRequest, _registry_import_v1_AccountHolder, _registry_import_v1_UpdateOwnHolderRequest__Output, _registry_import_v1_AccountHolder__Output>
}
