// Original file: protos/registry_import/v1/registry_import.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AccountHolder as _registry_import_v1_AccountHolder, AccountHolder__Output as _registry_import_v1_AccountHolder__Output } from '../../registry_import/v1/AccountHolder.ts';
import type { CreateAccountHolderRequest as _registry_import_v1_CreateAccountHolderRequest, CreateAccountHolderRequest__Output as _registry_import_v1_CreateAccountHolderRequest__Output } from '../../registry_import/v1/CreateAccountHolderRequest.ts';
import type { CreateAccountHolderResponse as _registry_import_v1_CreateAccountHolderResponse, CreateAccountHolderResponse__Output as _registry_import_v1_CreateAccountHolderResponse__Output } from '../../registry_import/v1/CreateAccountHolderResponse.ts';
import type { CreateIssuanceRequest as _registry_import_v1_CreateIssuanceRequest, CreateIssuanceRequest__Output as _registry_import_v1_CreateIssuanceRequest__Output } from '../../registry_import/v1/CreateIssuanceRequest.ts';
import type { CreateIssuanceResponse as _registry_import_v1_CreateIssuanceResponse, CreateIssuanceResponse__Output as _registry_import_v1_CreateIssuanceResponse__Output } from '../../registry_import/v1/CreateIssuanceResponse.ts';
import type { GetAccountHolderRequest as _registry_import_v1_GetAccountHolderRequest, GetAccountHolderRequest__Output as _registry_import_v1_GetAccountHolderRequest__Output } from '../../registry_import/v1/GetAccountHolderRequest.ts';
import type { GetImportRequest as _registry_import_v1_GetImportRequest, GetImportRequest__Output as _registry_import_v1_GetImportRequest__Output } from '../../registry_import/v1/GetImportRequest.ts';
import type { GetSubmittedProposalRequest as _registry_import_v1_GetSubmittedProposalRequest, GetSubmittedProposalRequest__Output as _registry_import_v1_GetSubmittedProposalRequest__Output } from '../../registry_import/v1/GetSubmittedProposalRequest.ts';
import type { Import as _registry_import_v1_Import, Import__Output as _registry_import_v1_Import__Output } from '../../registry_import/v1/Import.ts';
import type { ListAccountHoldersRequest as _registry_import_v1_ListAccountHoldersRequest, ListAccountHoldersRequest__Output as _registry_import_v1_ListAccountHoldersRequest__Output } from '../../registry_import/v1/ListAccountHoldersRequest.ts';
import type { ListAccountHoldersResponse as _registry_import_v1_ListAccountHoldersResponse, ListAccountHoldersResponse__Output as _registry_import_v1_ListAccountHoldersResponse__Output } from '../../registry_import/v1/ListAccountHoldersResponse.ts';
import type { ListImportErrorsRequest as _registry_import_v1_ListImportErrorsRequest, ListImportErrorsRequest__Output as _registry_import_v1_ListImportErrorsRequest__Output } from '../../registry_import/v1/ListImportErrorsRequest.ts';
import type { ListImportErrorsResponse as _registry_import_v1_ListImportErrorsResponse, ListImportErrorsResponse__Output as _registry_import_v1_ListImportErrorsResponse__Output } from '../../registry_import/v1/ListImportErrorsResponse.ts';
import type { ListImportsRequest as _registry_import_v1_ListImportsRequest, ListImportsRequest__Output as _registry_import_v1_ListImportsRequest__Output } from '../../registry_import/v1/ListImportsRequest.ts';
import type { ListImportsResponse as _registry_import_v1_ListImportsResponse, ListImportsResponse__Output as _registry_import_v1_ListImportsResponse__Output } from '../../registry_import/v1/ListImportsResponse.ts';
import type { ListSubmittedProposalsRequest as _registry_import_v1_ListSubmittedProposalsRequest, ListSubmittedProposalsRequest__Output as _registry_import_v1_ListSubmittedProposalsRequest__Output } from '../../registry_import/v1/ListSubmittedProposalsRequest.ts';
import type { OnrampRequest as _registry_import_v1_OnrampRequest, OnrampRequest__Output as _registry_import_v1_OnrampRequest__Output } from '../../registry_import/v1/OnrampRequest.ts';
import type { OnrampResponse as _inventory_v1_OnrampResponse, OnrampResponse__Output as _inventory_v1_OnrampResponse__Output } from '../../inventory/v1/OnrampResponse.ts';
import type { PageSubmittedProposalsResponse as _traders_v1_PageSubmittedProposalsResponse, PageSubmittedProposalsResponse__Output as _traders_v1_PageSubmittedProposalsResponse__Output } from '../../traders/v1/PageSubmittedProposalsResponse.ts';
import type { Proposal as _traders_v1_Proposal, Proposal__Output as _traders_v1_Proposal__Output } from '../../traders/v1/Proposal.ts';
import type { PutFacilityRequest as _registry_import_v1_PutFacilityRequest, PutFacilityRequest__Output as _registry_import_v1_PutFacilityRequest__Output } from '../../registry_import/v1/PutFacilityRequest.ts';
import type { PutFacilityResponse as _registry_import_v1_PutFacilityResponse, PutFacilityResponse__Output as _registry_import_v1_PutFacilityResponse__Output } from '../../registry_import/v1/PutFacilityResponse.ts';
import type { StartImportRequest as _registry_import_v1_StartImportRequest, StartImportRequest__Output as _registry_import_v1_StartImportRequest__Output } from '../../registry_import/v1/StartImportRequest.ts';
import type { SubmitProposalRequest as _registry_import_v1_SubmitProposalRequest, SubmitProposalRequest__Output as _registry_import_v1_SubmitProposalRequest__Output } from '../../registry_import/v1/SubmitProposalRequest.ts';
import type { UpdateAccountHolderRequest as _registry_import_v1_UpdateAccountHolderRequest, UpdateAccountHolderRequest__Output as _registry_import_v1_UpdateAccountHolderRequest__Output } from '../../registry_import/v1/UpdateAccountHolderRequest.ts';

export interface RegistryImportServiceClient extends grpc.Client {
  CreateAccountHolder(argument: _registry_import_v1_CreateAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_CreateAccountHolderResponse__Output>): grpc.ClientUnaryCall;
  CreateAccountHolder(argument: _registry_import_v1_CreateAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_CreateAccountHolderResponse__Output>): grpc.ClientUnaryCall;
  CreateAccountHolder(argument: _registry_import_v1_CreateAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_CreateAccountHolderResponse__Output>): grpc.ClientUnaryCall;
  CreateAccountHolder(argument: _registry_import_v1_CreateAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_CreateAccountHolderResponse__Output>): grpc.ClientUnaryCall;
  createAccountHolder(argument: _registry_import_v1_CreateAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_CreateAccountHolderResponse__Output>): grpc.ClientUnaryCall;
  createAccountHolder(argument: _registry_import_v1_CreateAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_CreateAccountHolderResponse__Output>): grpc.ClientUnaryCall;
  createAccountHolder(argument: _registry_import_v1_CreateAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_CreateAccountHolderResponse__Output>): grpc.ClientUnaryCall;
  createAccountHolder(argument: _registry_import_v1_CreateAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_CreateAccountHolderResponse__Output>): grpc.ClientUnaryCall;
  
  CreateIssuance(argument: _registry_import_v1_CreateIssuanceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_CreateIssuanceResponse__Output>): grpc.ClientUnaryCall;
  CreateIssuance(argument: _registry_import_v1_CreateIssuanceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_CreateIssuanceResponse__Output>): grpc.ClientUnaryCall;
  CreateIssuance(argument: _registry_import_v1_CreateIssuanceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_CreateIssuanceResponse__Output>): grpc.ClientUnaryCall;
  CreateIssuance(argument: _registry_import_v1_CreateIssuanceRequest, callback: grpc.requestCallback<_registry_import_v1_CreateIssuanceResponse__Output>): grpc.ClientUnaryCall;
  createIssuance(argument: _registry_import_v1_CreateIssuanceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_CreateIssuanceResponse__Output>): grpc.ClientUnaryCall;
  createIssuance(argument: _registry_import_v1_CreateIssuanceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_CreateIssuanceResponse__Output>): grpc.ClientUnaryCall;
  createIssuance(argument: _registry_import_v1_CreateIssuanceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_CreateIssuanceResponse__Output>): grpc.ClientUnaryCall;
  createIssuance(argument: _registry_import_v1_CreateIssuanceRequest, callback: grpc.requestCallback<_registry_import_v1_CreateIssuanceResponse__Output>): grpc.ClientUnaryCall;
  
  GetAccountHolder(argument: _registry_import_v1_GetAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  GetAccountHolder(argument: _registry_import_v1_GetAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  GetAccountHolder(argument: _registry_import_v1_GetAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  GetAccountHolder(argument: _registry_import_v1_GetAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  getAccountHolder(argument: _registry_import_v1_GetAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  getAccountHolder(argument: _registry_import_v1_GetAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  getAccountHolder(argument: _registry_import_v1_GetAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  getAccountHolder(argument: _registry_import_v1_GetAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  
  GetImport(argument: _registry_import_v1_GetImportRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  GetImport(argument: _registry_import_v1_GetImportRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  GetImport(argument: _registry_import_v1_GetImportRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  GetImport(argument: _registry_import_v1_GetImportRequest, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  getImport(argument: _registry_import_v1_GetImportRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  getImport(argument: _registry_import_v1_GetImportRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  getImport(argument: _registry_import_v1_GetImportRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  getImport(argument: _registry_import_v1_GetImportRequest, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientUnaryCall;
  
  GetSubmittedProposal(argument: _registry_import_v1_GetSubmittedProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  GetSubmittedProposal(argument: _registry_import_v1_GetSubmittedProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  GetSubmittedProposal(argument: _registry_import_v1_GetSubmittedProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  GetSubmittedProposal(argument: _registry_import_v1_GetSubmittedProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  getSubmittedProposal(argument: _registry_import_v1_GetSubmittedProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  getSubmittedProposal(argument: _registry_import_v1_GetSubmittedProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  getSubmittedProposal(argument: _registry_import_v1_GetSubmittedProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  getSubmittedProposal(argument: _registry_import_v1_GetSubmittedProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  
  ListAccountHolders(argument: _registry_import_v1_ListAccountHoldersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  ListAccountHolders(argument: _registry_import_v1_ListAccountHoldersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_ListAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  ListAccountHolders(argument: _registry_import_v1_ListAccountHoldersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  ListAccountHolders(argument: _registry_import_v1_ListAccountHoldersRequest, callback: grpc.requestCallback<_registry_import_v1_ListAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  listAccountHolders(argument: _registry_import_v1_ListAccountHoldersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  listAccountHolders(argument: _registry_import_v1_ListAccountHoldersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_ListAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  listAccountHolders(argument: _registry_import_v1_ListAccountHoldersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  listAccountHolders(argument: _registry_import_v1_ListAccountHoldersRequest, callback: grpc.requestCallback<_registry_import_v1_ListAccountHoldersResponse__Output>): grpc.ClientUnaryCall;
  
  ListImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  ListImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  ListImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  ListImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  listImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  listImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  listImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  listImportErrors(argument: _registry_import_v1_ListImportErrorsRequest, callback: grpc.requestCallback<_registry_import_v1_ListImportErrorsResponse__Output>): grpc.ClientUnaryCall;
  
  ListImports(argument: _registry_import_v1_ListImportsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  ListImports(argument: _registry_import_v1_ListImportsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  ListImports(argument: _registry_import_v1_ListImportsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  ListImports(argument: _registry_import_v1_ListImportsRequest, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  listImports(argument: _registry_import_v1_ListImportsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  listImports(argument: _registry_import_v1_ListImportsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  listImports(argument: _registry_import_v1_ListImportsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  listImports(argument: _registry_import_v1_ListImportsRequest, callback: grpc.requestCallback<_registry_import_v1_ListImportsResponse__Output>): grpc.ClientUnaryCall;
  
  ListSubmittedProposals(argument: _registry_import_v1_ListSubmittedProposalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  ListSubmittedProposals(argument: _registry_import_v1_ListSubmittedProposalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  ListSubmittedProposals(argument: _registry_import_v1_ListSubmittedProposalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  ListSubmittedProposals(argument: _registry_import_v1_ListSubmittedProposalsRequest, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  listSubmittedProposals(argument: _registry_import_v1_ListSubmittedProposalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  listSubmittedProposals(argument: _registry_import_v1_ListSubmittedProposalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  listSubmittedProposals(argument: _registry_import_v1_ListSubmittedProposalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  listSubmittedProposals(argument: _registry_import_v1_ListSubmittedProposalsRequest, callback: grpc.requestCallback<_traders_v1_PageSubmittedProposalsResponse__Output>): grpc.ClientUnaryCall;
  
  Onramp(argument: _registry_import_v1_OnrampRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  Onramp(argument: _registry_import_v1_OnrampRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  Onramp(argument: _registry_import_v1_OnrampRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  Onramp(argument: _registry_import_v1_OnrampRequest, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onramp(argument: _registry_import_v1_OnrampRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onramp(argument: _registry_import_v1_OnrampRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onramp(argument: _registry_import_v1_OnrampRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  onramp(argument: _registry_import_v1_OnrampRequest, callback: grpc.requestCallback<_inventory_v1_OnrampResponse__Output>): grpc.ClientUnaryCall;
  
  PutFacility(argument: _registry_import_v1_PutFacilityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_PutFacilityResponse__Output>): grpc.ClientUnaryCall;
  PutFacility(argument: _registry_import_v1_PutFacilityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_PutFacilityResponse__Output>): grpc.ClientUnaryCall;
  PutFacility(argument: _registry_import_v1_PutFacilityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_PutFacilityResponse__Output>): grpc.ClientUnaryCall;
  PutFacility(argument: _registry_import_v1_PutFacilityRequest, callback: grpc.requestCallback<_registry_import_v1_PutFacilityResponse__Output>): grpc.ClientUnaryCall;
  putFacility(argument: _registry_import_v1_PutFacilityRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_PutFacilityResponse__Output>): grpc.ClientUnaryCall;
  putFacility(argument: _registry_import_v1_PutFacilityRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_PutFacilityResponse__Output>): grpc.ClientUnaryCall;
  putFacility(argument: _registry_import_v1_PutFacilityRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_PutFacilityResponse__Output>): grpc.ClientUnaryCall;
  putFacility(argument: _registry_import_v1_PutFacilityRequest, callback: grpc.requestCallback<_registry_import_v1_PutFacilityResponse__Output>): grpc.ClientUnaryCall;
  
  StartImport(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  StartImport(metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  StartImport(options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  StartImport(callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  startImport(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  startImport(metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  startImport(options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  startImport(callback: grpc.requestCallback<_registry_import_v1_Import__Output>): grpc.ClientWritableStream<_registry_import_v1_StartImportRequest>;
  
  SubmitProposal(argument: _registry_import_v1_SubmitProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitProposal(argument: _registry_import_v1_SubmitProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitProposal(argument: _registry_import_v1_SubmitProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  SubmitProposal(argument: _registry_import_v1_SubmitProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitProposal(argument: _registry_import_v1_SubmitProposalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitProposal(argument: _registry_import_v1_SubmitProposalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitProposal(argument: _registry_import_v1_SubmitProposalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  submitProposal(argument: _registry_import_v1_SubmitProposalRequest, callback: grpc.requestCallback<_traders_v1_Proposal__Output>): grpc.ClientUnaryCall;
  
  UpdateAccountHolder(argument: _registry_import_v1_UpdateAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  UpdateAccountHolder(argument: _registry_import_v1_UpdateAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  UpdateAccountHolder(argument: _registry_import_v1_UpdateAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  UpdateAccountHolder(argument: _registry_import_v1_UpdateAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  updateAccountHolder(argument: _registry_import_v1_UpdateAccountHolderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  updateAccountHolder(argument: _registry_import_v1_UpdateAccountHolderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  updateAccountHolder(argument: _registry_import_v1_UpdateAccountHolderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  updateAccountHolder(argument: _registry_import_v1_UpdateAccountHolderRequest, callback: grpc.requestCallback<_registry_import_v1_AccountHolder__Output>): grpc.ClientUnaryCall;
  
}

export interface RegistryImportServiceHandlers extends grpc.UntypedServiceImplementation {
  CreateAccountHolder: grpc.handleUnaryCall<_registry_import_v1_CreateAccountHolderRequest__Output, _registry_import_v1_CreateAccountHolderResponse>;
  
  CreateIssuance: grpc.handleUnaryCall<_registry_import_v1_CreateIssuanceRequest__Output, _registry_import_v1_CreateIssuanceResponse>;
  
  GetAccountHolder: grpc.handleUnaryCall<_registry_import_v1_GetAccountHolderRequest__Output, _registry_import_v1_AccountHolder>;
  
  GetImport: grpc.handleUnaryCall<_registry_import_v1_GetImportRequest__Output, _registry_import_v1_Import>;
  
  GetSubmittedProposal: grpc.handleUnaryCall<_registry_import_v1_GetSubmittedProposalRequest__Output, _traders_v1_Proposal>;
  
  ListAccountHolders: grpc.handleUnaryCall<_registry_import_v1_ListAccountHoldersRequest__Output, _registry_import_v1_ListAccountHoldersResponse>;
  
  ListImportErrors: grpc.handleUnaryCall<_registry_import_v1_ListImportErrorsRequest__Output, _registry_import_v1_ListImportErrorsResponse>;
  
  ListImports: grpc.handleUnaryCall<_registry_import_v1_ListImportsRequest__Output, _registry_import_v1_ListImportsResponse>;
  
  ListSubmittedProposals: grpc.handleUnaryCall<_registry_import_v1_ListSubmittedProposalsRequest__Output, _traders_v1_PageSubmittedProposalsResponse>;
  
  Onramp: grpc.handleUnaryCall<_registry_import_v1_OnrampRequest__Output, _inventory_v1_OnrampResponse>;
  
  PutFacility: grpc.handleUnaryCall<_registry_import_v1_PutFacilityRequest__Output, _registry_import_v1_PutFacilityResponse>;
  
  StartImport: grpc.handleClientStreamingCall<_registry_import_v1_StartImportRequest__Output, _registry_import_v1_Import>;
  
  SubmitProposal: grpc.handleUnaryCall<_registry_import_v1_SubmitProposalRequest__Output, _traders_v1_Proposal>;
  
  UpdateAccountHolder: grpc.handleUnaryCall<_registry_import_v1_UpdateAccountHolderRequest__Output, _registry_import_v1_AccountHolder>;
  
}

export interface RegistryImportServiceDefinition extends grpc.ServiceDefinition {
  CreateAccountHolder: MethodDefinition<_registry_import_v1_CreateAccountHolderRequest, _registry_import_v1_CreateAccountHolderResponse, _registry_import_v1_CreateAccountHolderRequest__Output, _registry_import_v1_CreateAccountHolderResponse__Output>
  CreateIssuance: MethodDefinition<_registry_import_v1_CreateIssuanceRequest, _registry_import_v1_CreateIssuanceResponse, _registry_import_v1_CreateIssuanceRequest__Output, _registry_import_v1_CreateIssuanceResponse__Output>
  GetAccountHolder: MethodDefinition<_registry_import_v1_GetAccountHolderRequest, _registry_import_v1_AccountHolder, _registry_import_v1_GetAccountHolderRequest__Output, _registry_import_v1_AccountHolder__Output>
  GetImport: MethodDefinition<_registry_import_v1_GetImportRequest, _registry_import_v1_Import, _registry_import_v1_GetImportRequest__Output, _registry_import_v1_Import__Output>
  GetSubmittedProposal: MethodDefinition<_registry_import_v1_GetSubmittedProposalRequest, _traders_v1_Proposal, _registry_import_v1_GetSubmittedProposalRequest__Output, _traders_v1_Proposal__Output>
  ListAccountHolders: MethodDefinition<_registry_import_v1_ListAccountHoldersRequest, _registry_import_v1_ListAccountHoldersResponse, _registry_import_v1_ListAccountHoldersRequest__Output, _registry_import_v1_ListAccountHoldersResponse__Output>
  ListImportErrors: MethodDefinition<_registry_import_v1_ListImportErrorsRequest, _registry_import_v1_ListImportErrorsResponse, _registry_import_v1_ListImportErrorsRequest__Output, _registry_import_v1_ListImportErrorsResponse__Output>
  ListImports: MethodDefinition<_registry_import_v1_ListImportsRequest, _registry_import_v1_ListImportsResponse, _registry_import_v1_ListImportsRequest__Output, _registry_import_v1_ListImportsResponse__Output>
  ListSubmittedProposals: MethodDefinition<_registry_import_v1_ListSubmittedProposalsRequest, _traders_v1_PageSubmittedProposalsResponse, _registry_import_v1_ListSubmittedProposalsRequest__Output, _traders_v1_PageSubmittedProposalsResponse__Output>
  Onramp: MethodDefinition<_registry_import_v1_OnrampRequest, _inventory_v1_OnrampResponse, _registry_import_v1_OnrampRequest__Output, _inventory_v1_OnrampResponse__Output>
  PutFacility: MethodDefinition<_registry_import_v1_PutFacilityRequest, _registry_import_v1_PutFacilityResponse, _registry_import_v1_PutFacilityRequest__Output, _registry_import_v1_PutFacilityResponse__Output>
  StartImport: MethodDefinition<_registry_import_v1_StartImportRequest, _registry_import_v1_Import, _registry_import_v1_StartImportRequest__Output, _registry_import_v1_Import__Output>
  SubmitProposal: MethodDefinition<_registry_import_v1_SubmitProposalRequest, _traders_v1_Proposal, _registry_import_v1_SubmitProposalRequest__Output, _traders_v1_Proposal__Output>
  UpdateAccountHolder: MethodDefinition<_registry_import_v1_UpdateAccountHolderRequest, _registry_import_v1_AccountHolder, _registry_import_v1_UpdateAccountHolderRequest__Output, _registry_import_v1_AccountHolder__Output>
}
