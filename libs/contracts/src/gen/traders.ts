import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Address as _traders_v1_Address, Address__Output as _traders_v1_Address__Output } from './traders/v1/Address.ts';
import type { CreateTraderRequest as _traders_v1_CreateTraderRequest, CreateTraderRequest__Output as _traders_v1_CreateTraderRequest__Output } from './traders/v1/CreateTraderRequest.ts';
import type { CreateTraderResponse as _traders_v1_CreateTraderResponse, CreateTraderResponse__Output as _traders_v1_CreateTraderResponse__Output } from './traders/v1/CreateTraderResponse.ts';
import type { DecideProposalRequest as _traders_v1_DecideProposalRequest, DecideProposalRequest__Output as _traders_v1_DecideProposalRequest__Output } from './traders/v1/DecideProposalRequest.ts';
import type { FindOnboardedTradersRequest as _traders_v1_FindOnboardedTradersRequest, FindOnboardedTradersRequest__Output as _traders_v1_FindOnboardedTradersRequest__Output } from './traders/v1/FindOnboardedTradersRequest.ts';
import type { FindOnboardedTradersResponse as _traders_v1_FindOnboardedTradersResponse, FindOnboardedTradersResponse__Output as _traders_v1_FindOnboardedTradersResponse__Output } from './traders/v1/FindOnboardedTradersResponse.ts';
import type { GetPartiesRequest as _traders_v1_GetPartiesRequest, GetPartiesRequest__Output as _traders_v1_GetPartiesRequest__Output } from './traders/v1/GetPartiesRequest.ts';
import type { GetPartiesResponse as _traders_v1_GetPartiesResponse, GetPartiesResponse__Output as _traders_v1_GetPartiesResponse__Output } from './traders/v1/GetPartiesResponse.ts';
import type { GetTraderRequest as _traders_v1_GetTraderRequest, GetTraderRequest__Output as _traders_v1_GetTraderRequest__Output } from './traders/v1/GetTraderRequest.ts';
import type { ListProposalsRequest as _traders_v1_ListProposalsRequest, ListProposalsRequest__Output as _traders_v1_ListProposalsRequest__Output } from './traders/v1/ListProposalsRequest.ts';
import type { ListTradersRequest as _traders_v1_ListTradersRequest, ListTradersRequest__Output as _traders_v1_ListTradersRequest__Output } from './traders/v1/ListTradersRequest.ts';
import type { OnboardingKey as _traders_v1_OnboardingKey, OnboardingKey__Output as _traders_v1_OnboardingKey__Output } from './traders/v1/OnboardingKey.ts';
import type { Party as _traders_v1_Party, Party__Output as _traders_v1_Party__Output } from './traders/v1/Party.ts';
import type { PartyKey as _traders_v1_PartyKey, PartyKey__Output as _traders_v1_PartyKey__Output } from './traders/v1/PartyKey.ts';
import type { Proposal as _traders_v1_Proposal, Proposal__Output as _traders_v1_Proposal__Output } from './traders/v1/Proposal.ts';
import type { SubmitProposalRequest as _traders_v1_SubmitProposalRequest, SubmitProposalRequest__Output as _traders_v1_SubmitProposalRequest__Output } from './traders/v1/SubmitProposalRequest.ts';
import type { Trader as _traders_v1_Trader, Trader__Output as _traders_v1_Trader__Output } from './traders/v1/Trader.ts';
import type { TraderDirectoryClient as _traders_v1_TraderDirectoryClient, TraderDirectoryDefinition as _traders_v1_TraderDirectoryDefinition } from './traders/v1/TraderDirectory.ts';
import type { TradersClient as _traders_v1_TradersClient, TradersDefinition as _traders_v1_TradersDefinition } from './traders/v1/Traders.ts';
import type { UpdateTraderRequest as _traders_v1_UpdateTraderRequest, UpdateTraderRequest__Output as _traders_v1_UpdateTraderRequest__Output } from './traders/v1/UpdateTraderRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  traders: {
    v1: {
      Address: MessageTypeDefinition<_traders_v1_Address, _traders_v1_Address__Output>
      CreateTraderRequest: MessageTypeDefinition<_traders_v1_CreateTraderRequest, _traders_v1_CreateTraderRequest__Output>
      CreateTraderResponse: MessageTypeDefinition<_traders_v1_CreateTraderResponse, _traders_v1_CreateTraderResponse__Output>
      DecideProposalRequest: MessageTypeDefinition<_traders_v1_DecideProposalRequest, _traders_v1_DecideProposalRequest__Output>
      FindOnboardedTradersRequest: MessageTypeDefinition<_traders_v1_FindOnboardedTradersRequest, _traders_v1_FindOnboardedTradersRequest__Output>
      FindOnboardedTradersResponse: MessageTypeDefinition<_traders_v1_FindOnboardedTradersResponse, _traders_v1_FindOnboardedTradersResponse__Output>
      GetPartiesRequest: MessageTypeDefinition<_traders_v1_GetPartiesRequest, _traders_v1_GetPartiesRequest__Output>
      GetPartiesResponse: MessageTypeDefinition<_traders_v1_GetPartiesResponse, _traders_v1_GetPartiesResponse__Output>
      GetTraderRequest: MessageTypeDefinition<_traders_v1_GetTraderRequest, _traders_v1_GetTraderRequest__Output>
      ListProposalsRequest: MessageTypeDefinition<_traders_v1_ListProposalsRequest, _traders_v1_ListProposalsRequest__Output>
      ListTradersRequest: MessageTypeDefinition<_traders_v1_ListTradersRequest, _traders_v1_ListTradersRequest__Output>
      OnboardingKey: MessageTypeDefinition<_traders_v1_OnboardingKey, _traders_v1_OnboardingKey__Output>
      Party: MessageTypeDefinition<_traders_v1_Party, _traders_v1_Party__Output>
      PartyKey: MessageTypeDefinition<_traders_v1_PartyKey, _traders_v1_PartyKey__Output>
      Proposal: MessageTypeDefinition<_traders_v1_Proposal, _traders_v1_Proposal__Output>
      SubmitProposalRequest: MessageTypeDefinition<_traders_v1_SubmitProposalRequest, _traders_v1_SubmitProposalRequest__Output>
      Trader: MessageTypeDefinition<_traders_v1_Trader, _traders_v1_Trader__Output>
      TraderDirectory: SubtypeConstructor<typeof grpc.Client, _traders_v1_TraderDirectoryClient> & { service: _traders_v1_TraderDirectoryDefinition }
      Traders: SubtypeConstructor<typeof grpc.Client, _traders_v1_TradersClient> & { service: _traders_v1_TradersDefinition }
      UpdateTraderRequest: MessageTypeDefinition<_traders_v1_UpdateTraderRequest, _traders_v1_UpdateTraderRequest__Output>
    }
  }
}

