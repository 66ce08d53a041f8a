import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { ApplyFacilitiesRequest as _inventory_v1_ApplyFacilitiesRequest, ApplyFacilitiesRequest__Output as _inventory_v1_ApplyFacilitiesRequest__Output } from './inventory/v1/ApplyFacilitiesRequest.ts';
import type { ApplyIssuancesRequest as _inventory_v1_ApplyIssuancesRequest, ApplyIssuancesRequest__Output as _inventory_v1_ApplyIssuancesRequest__Output } from './inventory/v1/ApplyIssuancesRequest.ts';
import type { ApplyResponse as _inventory_v1_ApplyResponse, ApplyResponse__Output as _inventory_v1_ApplyResponse__Output } from './inventory/v1/ApplyResponse.ts';
import type { ApplyResult as _inventory_v1_ApplyResult, ApplyResult__Output as _inventory_v1_ApplyResult__Output } from './inventory/v1/ApplyResult.ts';
import type { CheckSelectionsRequest as _inventory_v1_CheckSelectionsRequest, CheckSelectionsRequest__Output as _inventory_v1_CheckSelectionsRequest__Output } from './inventory/v1/CheckSelectionsRequest.ts';
import type { CheckSelectionsResponse as _inventory_v1_CheckSelectionsResponse, CheckSelectionsResponse__Output as _inventory_v1_CheckSelectionsResponse__Output } from './inventory/v1/CheckSelectionsResponse.ts';
import type { DecideTransactionRequest as _inventory_v1_DecideTransactionRequest, DecideTransactionRequest__Output as _inventory_v1_DecideTransactionRequest__Output } from './inventory/v1/DecideTransactionRequest.ts';
import type { GetCertificateHistoryRequest as _inventory_v1_GetCertificateHistoryRequest, GetCertificateHistoryRequest__Output as _inventory_v1_GetCertificateHistoryRequest__Output } from './inventory/v1/GetCertificateHistoryRequest.ts';
import type { GetFacilityRequest as _inventory_v1_GetFacilityRequest, GetFacilityRequest__Output as _inventory_v1_GetFacilityRequest__Output } from './inventory/v1/GetFacilityRequest.ts';
import type { GetProductionFacilityRequest as _inventory_v1_GetProductionFacilityRequest, GetProductionFacilityRequest__Output as _inventory_v1_GetProductionFacilityRequest__Output } from './inventory/v1/GetProductionFacilityRequest.ts';
import type { GetSupplierRequest as _inventory_v1_GetSupplierRequest, GetSupplierRequest__Output as _inventory_v1_GetSupplierRequest__Output } from './inventory/v1/GetSupplierRequest.ts';
import type { GetTransactionRequest as _inventory_v1_GetTransactionRequest, GetTransactionRequest__Output as _inventory_v1_GetTransactionRequest__Output } from './inventory/v1/GetTransactionRequest.ts';
import type { InventoryClient as _inventory_v1_InventoryClient, InventoryDefinition as _inventory_v1_InventoryDefinition } from './inventory/v1/Inventory.ts';
import type { Issuance as _inventory_v1_Issuance, Issuance__Output as _inventory_v1_Issuance__Output } from './inventory/v1/Issuance.ts';
import type { JsonChunk as _inventory_v1_JsonChunk, JsonChunk__Output as _inventory_v1_JsonChunk__Output } from './inventory/v1/JsonChunk.ts';
import type { JsonDocument as _inventory_v1_JsonDocument, JsonDocument__Output as _inventory_v1_JsonDocument__Output } from './inventory/v1/JsonDocument.ts';
import type { JsonPage as _inventory_v1_JsonPage, JsonPage__Output as _inventory_v1_JsonPage__Output } from './inventory/v1/JsonPage.ts';
import type { LedgerClient as _inventory_v1_LedgerClient, LedgerDefinition as _inventory_v1_LedgerDefinition } from './inventory/v1/Ledger.ts';
import type { ListFacilitiesResponse as _inventory_v1_ListFacilitiesResponse, ListFacilitiesResponse__Output as _inventory_v1_ListFacilitiesResponse__Output } from './inventory/v1/ListFacilitiesResponse.ts';
import type { ListInventoryRequest as _inventory_v1_ListInventoryRequest, ListInventoryRequest__Output as _inventory_v1_ListInventoryRequest__Output } from './inventory/v1/ListInventoryRequest.ts';
import type { ListProductionFacilitiesRequest as _inventory_v1_ListProductionFacilitiesRequest, ListProductionFacilitiesRequest__Output as _inventory_v1_ListProductionFacilitiesRequest__Output } from './inventory/v1/ListProductionFacilitiesRequest.ts';
import type { ListTransactionsRequest as _inventory_v1_ListTransactionsRequest, ListTransactionsRequest__Output as _inventory_v1_ListTransactionsRequest__Output } from './inventory/v1/ListTransactionsRequest.ts';
import type { OnrampRequest as _inventory_v1_OnrampRequest, OnrampRequest__Output as _inventory_v1_OnrampRequest__Output } from './inventory/v1/OnrampRequest.ts';
import type { PageRequest as _inventory_v1_PageRequest, PageRequest__Output as _inventory_v1_PageRequest__Output } from './inventory/v1/PageRequest.ts';
import type { Period as _inventory_v1_Period, Period__Output as _inventory_v1_Period__Output } from './inventory/v1/Period.ts';
import type { ProductionFacility as _inventory_v1_ProductionFacility, ProductionFacility__Output as _inventory_v1_ProductionFacility__Output } from './inventory/v1/ProductionFacility.ts';
import type { RegistryFacility as _inventory_v1_RegistryFacility, RegistryFacility__Output as _inventory_v1_RegistryFacility__Output } from './inventory/v1/RegistryFacility.ts';
import type { SelectionCheck as _inventory_v1_SelectionCheck, SelectionCheck__Output as _inventory_v1_SelectionCheck__Output } from './inventory/v1/SelectionCheck.ts';
import type { SelectionChecksClient as _inventory_v1_SelectionChecksClient, SelectionChecksDefinition as _inventory_v1_SelectionChecksDefinition } from './inventory/v1/SelectionChecks.ts';
import type { SelectionFault as _inventory_v1_SelectionFault, SelectionFault__Output as _inventory_v1_SelectionFault__Output } from './inventory/v1/SelectionFault.ts';
import type { SelectionRange as _inventory_v1_SelectionRange, SelectionRange__Output as _inventory_v1_SelectionRange__Output } from './inventory/v1/SelectionRange.ts';
import type { SelectionVerdict as _inventory_v1_SelectionVerdict, SelectionVerdict__Output as _inventory_v1_SelectionVerdict__Output } from './inventory/v1/SelectionVerdict.ts';
import type { Supplier as _inventory_v1_Supplier, Supplier__Output as _inventory_v1_Supplier__Output } from './inventory/v1/Supplier.ts';
import type { AccountHolder as _registry_import_v1_AccountHolder, AccountHolder__Output as _registry_import_v1_AccountHolder__Output } from './registry_import/v1/AccountHolder.ts';
import type { AccountHolderDirectoryClient as _registry_import_v1_AccountHolderDirectoryClient, AccountHolderDirectoryDefinition as _registry_import_v1_AccountHolderDirectoryDefinition } from './registry_import/v1/AccountHolderDirectory.ts';
import type { AccountHolderFields as _registry_import_v1_AccountHolderFields, AccountHolderFields__Output as _registry_import_v1_AccountHolderFields__Output } from './registry_import/v1/AccountHolderFields.ts';
import type { CreateAccountHolderResponse as _registry_import_v1_CreateAccountHolderResponse, CreateAccountHolderResponse__Output as _registry_import_v1_CreateAccountHolderResponse__Output } from './registry_import/v1/CreateAccountHolderResponse.ts';
import type { CreateIssuanceResponse as _registry_import_v1_CreateIssuanceResponse, CreateIssuanceResponse__Output as _registry_import_v1_CreateIssuanceResponse__Output } from './registry_import/v1/CreateIssuanceResponse.ts';
import type { GetAccountHolderRequest as _registry_import_v1_GetAccountHolderRequest, GetAccountHolderRequest__Output as _registry_import_v1_GetAccountHolderRequest__Output } from './registry_import/v1/GetAccountHolderRequest.ts';
import type { GetAccountHoldersRequest as _registry_import_v1_GetAccountHoldersRequest, GetAccountHoldersRequest__Output as _registry_import_v1_GetAccountHoldersRequest__Output } from './registry_import/v1/GetAccountHoldersRequest.ts';
import type { GetAccountHoldersResponse as _registry_import_v1_GetAccountHoldersResponse, GetAccountHoldersResponse__Output as _registry_import_v1_GetAccountHoldersResponse__Output } from './registry_import/v1/GetAccountHoldersResponse.ts';
import type { GetImportRequest as _registry_import_v1_GetImportRequest, GetImportRequest__Output as _registry_import_v1_GetImportRequest__Output } from './registry_import/v1/GetImportRequest.ts';
import type { Import as _registry_import_v1_Import, Import__Output as _registry_import_v1_Import__Output } from './registry_import/v1/Import.ts';
import type { ImportError as _registry_import_v1_ImportError, ImportError__Output as _registry_import_v1_ImportError__Output } from './registry_import/v1/ImportError.ts';
import type { ImportHeader as _registry_import_v1_ImportHeader, ImportHeader__Output as _registry_import_v1_ImportHeader__Output } from './registry_import/v1/ImportHeader.ts';
import type { ImportPart as _registry_import_v1_ImportPart, ImportPart__Output as _registry_import_v1_ImportPart__Output } from './registry_import/v1/ImportPart.ts';
import type { IssuanceFields as _registry_import_v1_IssuanceFields, IssuanceFields__Output as _registry_import_v1_IssuanceFields__Output } from './registry_import/v1/IssuanceFields.ts';
import type { ListAccountHoldersRequest as _registry_import_v1_ListAccountHoldersRequest, ListAccountHoldersRequest__Output as _registry_import_v1_ListAccountHoldersRequest__Output } from './registry_import/v1/ListAccountHoldersRequest.ts';
import type { ListAccountHoldersResponse as _registry_import_v1_ListAccountHoldersResponse, ListAccountHoldersResponse__Output as _registry_import_v1_ListAccountHoldersResponse__Output } from './registry_import/v1/ListAccountHoldersResponse.ts';
import type { ListImportErrorsRequest as _registry_import_v1_ListImportErrorsRequest, ListImportErrorsRequest__Output as _registry_import_v1_ListImportErrorsRequest__Output } from './registry_import/v1/ListImportErrorsRequest.ts';
import type { ListImportErrorsResponse as _registry_import_v1_ListImportErrorsResponse, ListImportErrorsResponse__Output as _registry_import_v1_ListImportErrorsResponse__Output } from './registry_import/v1/ListImportErrorsResponse.ts';
import type { ListImportsRequest as _registry_import_v1_ListImportsRequest, ListImportsRequest__Output as _registry_import_v1_ListImportsRequest__Output } from './registry_import/v1/ListImportsRequest.ts';
import type { ListImportsResponse as _registry_import_v1_ListImportsResponse, ListImportsResponse__Output as _registry_import_v1_ListImportsResponse__Output } from './registry_import/v1/ListImportsResponse.ts';
import type { OnrampRequest as _registry_import_v1_OnrampRequest, OnrampRequest__Output as _registry_import_v1_OnrampRequest__Output } from './registry_import/v1/OnrampRequest.ts';
import type { PostalAddress as _registry_import_v1_PostalAddress, PostalAddress__Output as _registry_import_v1_PostalAddress__Output } from './registry_import/v1/PostalAddress.ts';
import type { Proposal as _registry_import_v1_Proposal, Proposal__Output as _registry_import_v1_Proposal__Output } from './registry_import/v1/Proposal.ts';
import type { PutFacilityResponse as _registry_import_v1_PutFacilityResponse, PutFacilityResponse__Output as _registry_import_v1_PutFacilityResponse__Output } from './registry_import/v1/PutFacilityResponse.ts';
import type { RegistryImportClient as _registry_import_v1_RegistryImportClient, RegistryImportDefinition as _registry_import_v1_RegistryImportDefinition } from './registry_import/v1/RegistryImport.ts';
import type { SubmitProposalRequest as _registry_import_v1_SubmitProposalRequest, SubmitProposalRequest__Output as _registry_import_v1_SubmitProposalRequest__Output } from './registry_import/v1/SubmitProposalRequest.ts';
import type { UpdateAccountHolderRequest as _registry_import_v1_UpdateAccountHolderRequest, UpdateAccountHolderRequest__Output as _registry_import_v1_UpdateAccountHolderRequest__Output } from './registry_import/v1/UpdateAccountHolderRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  inventory: {
    v1: {
      ApplyFacilitiesRequest: MessageTypeDefinition<_inventory_v1_ApplyFacilitiesRequest, _inventory_v1_ApplyFacilitiesRequest__Output>
      ApplyIssuancesRequest: MessageTypeDefinition<_inventory_v1_ApplyIssuancesRequest, _inventory_v1_ApplyIssuancesRequest__Output>
      ApplyResponse: MessageTypeDefinition<_inventory_v1_ApplyResponse, _inventory_v1_ApplyResponse__Output>
      ApplyResult: MessageTypeDefinition<_inventory_v1_ApplyResult, _inventory_v1_ApplyResult__Output>
      CheckSelectionsRequest: MessageTypeDefinition<_inventory_v1_CheckSelectionsRequest, _inventory_v1_CheckSelectionsRequest__Output>
      CheckSelectionsResponse: MessageTypeDefinition<_inventory_v1_CheckSelectionsResponse, _inventory_v1_CheckSelectionsResponse__Output>
      DecideTransactionRequest: MessageTypeDefinition<_inventory_v1_DecideTransactionRequest, _inventory_v1_DecideTransactionRequest__Output>
      GetCertificateHistoryRequest: MessageTypeDefinition<_inventory_v1_GetCertificateHistoryRequest, _inventory_v1_GetCertificateHistoryRequest__Output>
      GetFacilityRequest: MessageTypeDefinition<_inventory_v1_GetFacilityRequest, _inventory_v1_GetFacilityRequest__Output>
      GetProductionFacilityRequest: MessageTypeDefinition<_inventory_v1_GetProductionFacilityRequest, _inventory_v1_GetProductionFacilityRequest__Output>
      GetSupplierRequest: MessageTypeDefinition<_inventory_v1_GetSupplierRequest, _inventory_v1_GetSupplierRequest__Output>
      GetTransactionRequest: MessageTypeDefinition<_inventory_v1_GetTransactionRequest, _inventory_v1_GetTransactionRequest__Output>
      Inventory: SubtypeConstructor<typeof grpc.Client, _inventory_v1_InventoryClient> & { service: _inventory_v1_InventoryDefinition }
      Issuance: MessageTypeDefinition<_inventory_v1_Issuance, _inventory_v1_Issuance__Output>
      JsonChunk: MessageTypeDefinition<_inventory_v1_JsonChunk, _inventory_v1_JsonChunk__Output>
      JsonDocument: MessageTypeDefinition<_inventory_v1_JsonDocument, _inventory_v1_JsonDocument__Output>
      JsonPage: MessageTypeDefinition<_inventory_v1_JsonPage, _inventory_v1_JsonPage__Output>
      Ledger: SubtypeConstructor<typeof grpc.Client, _inventory_v1_LedgerClient> & { service: _inventory_v1_LedgerDefinition }
      ListFacilitiesResponse: MessageTypeDefinition<_inventory_v1_ListFacilitiesResponse, _inventory_v1_ListFacilitiesResponse__Output>
      ListInventoryRequest: MessageTypeDefinition<_inventory_v1_ListInventoryRequest, _inventory_v1_ListInventoryRequest__Output>
      ListProductionFacilitiesRequest: MessageTypeDefinition<_inventory_v1_ListProductionFacilitiesRequest, _inventory_v1_ListProductionFacilitiesRequest__Output>
      ListTransactionsRequest: MessageTypeDefinition<_inventory_v1_ListTransactionsRequest, _inventory_v1_ListTransactionsRequest__Output>
      OnrampRequest: MessageTypeDefinition<_inventory_v1_OnrampRequest, _inventory_v1_OnrampRequest__Output>
      PageRequest: MessageTypeDefinition<_inventory_v1_PageRequest, _inventory_v1_PageRequest__Output>
      Period: MessageTypeDefinition<_inventory_v1_Period, _inventory_v1_Period__Output>
      ProductionFacility: MessageTypeDefinition<_inventory_v1_ProductionFacility, _inventory_v1_ProductionFacility__Output>
      RegistryFacility: MessageTypeDefinition<_inventory_v1_RegistryFacility, _inventory_v1_RegistryFacility__Output>
      SelectionCheck: MessageTypeDefinition<_inventory_v1_SelectionCheck, _inventory_v1_SelectionCheck__Output>
      SelectionChecks: SubtypeConstructor<typeof grpc.Client, _inventory_v1_SelectionChecksClient> & { service: _inventory_v1_SelectionChecksDefinition }
      SelectionFault: MessageTypeDefinition<_inventory_v1_SelectionFault, _inventory_v1_SelectionFault__Output>
      SelectionRange: MessageTypeDefinition<_inventory_v1_SelectionRange, _inventory_v1_SelectionRange__Output>
      SelectionVerdict: MessageTypeDefinition<_inventory_v1_SelectionVerdict, _inventory_v1_SelectionVerdict__Output>
      Supplier: MessageTypeDefinition<_inventory_v1_Supplier, _inventory_v1_Supplier__Output>
    }
  }
  registry_import: {
    v1: {
      AccountHolder: MessageTypeDefinition<_registry_import_v1_AccountHolder, _registry_import_v1_AccountHolder__Output>
      AccountHolderDirectory: SubtypeConstructor<typeof grpc.Client, _registry_import_v1_AccountHolderDirectoryClient> & { service: _registry_import_v1_AccountHolderDirectoryDefinition }
      AccountHolderFields: MessageTypeDefinition<_registry_import_v1_AccountHolderFields, _registry_import_v1_AccountHolderFields__Output>
      CreateAccountHolderResponse: MessageTypeDefinition<_registry_import_v1_CreateAccountHolderResponse, _registry_import_v1_CreateAccountHolderResponse__Output>
      CreateIssuanceResponse: MessageTypeDefinition<_registry_import_v1_CreateIssuanceResponse, _registry_import_v1_CreateIssuanceResponse__Output>
      GetAccountHolderRequest: MessageTypeDefinition<_registry_import_v1_GetAccountHolderRequest, _registry_import_v1_GetAccountHolderRequest__Output>
      GetAccountHoldersRequest: MessageTypeDefinition<_registry_import_v1_GetAccountHoldersRequest, _registry_import_v1_GetAccountHoldersRequest__Output>
      GetAccountHoldersResponse: MessageTypeDefinition<_registry_import_v1_GetAccountHoldersResponse, _registry_import_v1_GetAccountHoldersResponse__Output>
      GetImportRequest: MessageTypeDefinition<_registry_import_v1_GetImportRequest, _registry_import_v1_GetImportRequest__Output>
      Import: MessageTypeDefinition<_registry_import_v1_Import, _registry_import_v1_Import__Output>
      ImportError: MessageTypeDefinition<_registry_import_v1_ImportError, _registry_import_v1_ImportError__Output>
      ImportHeader: MessageTypeDefinition<_registry_import_v1_ImportHeader, _registry_import_v1_ImportHeader__Output>
      ImportPart: MessageTypeDefinition<_registry_import_v1_ImportPart, _registry_import_v1_ImportPart__Output>
      IssuanceFields: MessageTypeDefinition<_registry_import_v1_IssuanceFields, _registry_import_v1_IssuanceFields__Output>
      ListAccountHoldersRequest: MessageTypeDefinition<_registry_import_v1_ListAccountHoldersRequest, _registry_import_v1_ListAccountHoldersRequest__Output>
      ListAccountHoldersResponse: MessageTypeDefinition<_registry_import_v1_ListAccountHoldersResponse, _registry_import_v1_ListAccountHoldersResponse__Output>
      ListImportErrorsRequest: MessageTypeDefinition<_registry_import_v1_ListImportErrorsRequest, _registry_import_v1_ListImportErrorsRequest__Output>
      ListImportErrorsResponse: MessageTypeDefinition<_registry_import_v1_ListImportErrorsResponse, _registry_import_v1_ListImportErrorsResponse__Output>
      ListImportsRequest: MessageTypeDefinition<_registry_import_v1_ListImportsRequest, _registry_import_v1_ListImportsRequest__Output>
      ListImportsResponse: MessageTypeDefinition<_registry_import_v1_ListImportsResponse, _registry_import_v1_ListImportsResponse__Output>
      OnrampRequest: MessageTypeDefinition<_registry_import_v1_OnrampRequest, _registry_import_v1_OnrampRequest__Output>
      PostalAddress: MessageTypeDefinition<_registry_import_v1_PostalAddress, _registry_import_v1_PostalAddress__Output>
      Proposal: MessageTypeDefinition<_registry_import_v1_Proposal, _registry_import_v1_Proposal__Output>
      PutFacilityResponse: MessageTypeDefinition<_registry_import_v1_PutFacilityResponse, _registry_import_v1_PutFacilityResponse__Output>
      RegistryImport: SubtypeConstructor<typeof grpc.Client, _registry_import_v1_RegistryImportClient> & { service: _registry_import_v1_RegistryImportDefinition }
      SubmitProposalRequest: MessageTypeDefinition<_registry_import_v1_SubmitProposalRequest, _registry_import_v1_SubmitProposalRequest__Output>
      UpdateAccountHolderRequest: MessageTypeDefinition<_registry_import_v1_UpdateAccountHolderRequest, _registry_import_v1_UpdateAccountHolderRequest__Output>
    }
  }
}

