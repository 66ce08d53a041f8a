// Original file: protos/identity/v1/sessions.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AddSessionTokenRequest as _identity_v1_AddSessionTokenRequest, AddSessionTokenRequest__Output as _identity_v1_AddSessionTokenRequest__Output } from '../../identity/v1/AddSessionTokenRequest.ts';
import type { AddSessionTokenResponse as _identity_v1_AddSessionTokenResponse, AddSessionTokenResponse__Output as _identity_v1_AddSessionTokenResponse__Output } from '../../identity/v1/AddSessionTokenResponse.ts';
import type { BeginSessionRequest as _identity_v1_BeginSessionRequest, BeginSessionRequest__Output as _identity_v1_BeginSessionRequest__Output } from '../../identity/v1/BeginSessionRequest.ts';
import type { CheckSessionRequest as _identity_v1_CheckSessionRequest, CheckSessionRequest__Output as _identity_v1_CheckSessionRequest__Output } from '../../identity/v1/CheckSessionRequest.ts';
import type { EndProviderSessionsRequest as _identity_v1_EndProviderSessionsRequest, EndProviderSessionsRequest__Output as _identity_v1_EndProviderSessionsRequest__Output } from '../../identity/v1/EndProviderSessionsRequest.ts';
import type { EndSessionRequest as _identity_v1_EndSessionRequest, EndSessionRequest__Output as _identity_v1_EndSessionRequest__Output } from '../../identity/v1/EndSessionRequest.ts';
import type { EndSessionResponse as _identity_v1_EndSessionResponse, EndSessionResponse__Output as _identity_v1_EndSessionResponse__Output } from '../../identity/v1/EndSessionResponse.ts';
import type { EndedSessions as _identity_v1_EndedSessions, EndedSessions__Output as _identity_v1_EndedSessions__Output } from '../../identity/v1/EndedSessions.ts';
import type { Session as _identity_v1_Session, Session__Output as _identity_v1_Session__Output } from '../../identity/v1/Session.ts';

export interface SessionServiceClient extends grpc.Client {
  AddSessionToken(argument: _identity_v1_AddSessionTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_AddSessionTokenResponse__Output>): grpc.ClientUnaryCall;
  AddSessionToken(argument: _identity_v1_AddSessionTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_AddSessionTokenResponse__Output>): grpc.ClientUnaryCall;
  AddSessionToken(argument: _identity_v1_AddSessionTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_AddSessionTokenResponse__Output>): grpc.ClientUnaryCall;
  AddSessionToken(argument: _identity_v1_AddSessionTokenRequest, callback: grpc.requestCallback<_identity_v1_AddSessionTokenResponse__Output>): grpc.ClientUnaryCall;
  addSessionToken(argument: _identity_v1_AddSessionTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_AddSessionTokenResponse__Output>): grpc.ClientUnaryCall;
  addSessionToken(argument: _identity_v1_AddSessionTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_AddSessionTokenResponse__Output>): grpc.ClientUnaryCall;
  addSessionToken(argument: _identity_v1_AddSessionTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_AddSessionTokenResponse__Output>): grpc.ClientUnaryCall;
  addSessionToken(argument: _identity_v1_AddSessionTokenRequest, callback: grpc.requestCallback<_identity_v1_AddSessionTokenResponse__Output>): grpc.ClientUnaryCall;
  
  BeginSession(argument: _identity_v1_BeginSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  BeginSession(argument: _identity_v1_BeginSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  BeginSession(argument: _identity_v1_BeginSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  BeginSession(argument: _identity_v1_BeginSessionRequest, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  beginSession(argument: _identity_v1_BeginSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  beginSession(argument: _identity_v1_BeginSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  beginSession(argument: _identity_v1_BeginSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  beginSession(argument: _identity_v1_BeginSessionRequest, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  
  CheckSession(argument: _identity_v1_CheckSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  CheckSession(argument: _identity_v1_CheckSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  CheckSession(argument: _identity_v1_CheckSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  CheckSession(argument: _identity_v1_CheckSessionRequest, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  checkSession(argument: _identity_v1_CheckSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  checkSession(argument: _identity_v1_CheckSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  checkSession(argument: _identity_v1_CheckSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  checkSession(argument: _identity_v1_CheckSessionRequest, callback: grpc.requestCallback<_identity_v1_Session__Output>): grpc.ClientUnaryCall;
  
  EndProviderSessions(argument: _identity_v1_EndProviderSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_EndedSessions__Output>): grpc.ClientUnaryCall;
  EndProviderSessions(argument: _identity_v1_EndProviderSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_EndedSessions__Output>): grpc.ClientUnaryCall;
  EndProviderSessions(argument: _identity_v1_EndProviderSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_EndedSessions__Output>): grpc.ClientUnaryCall;
  EndProviderSessions(argument: _identity_v1_EndProviderSessionsRequest, callback: grpc.requestCallback<_identity_v1_EndedSessions__Output>): grpc.ClientUnaryCall;
  endProviderSessions(argument: _identity_v1_EndProviderSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_EndedSessions__Output>): grpc.ClientUnaryCall;
  endProviderSessions(argument: _identity_v1_EndProviderSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_EndedSessions__Output>): grpc.ClientUnaryCall;
  endProviderSessions(argument: _identity_v1_EndProviderSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_EndedSessions__Output>): grpc.ClientUnaryCall;
  endProviderSessions(argument: _identity_v1_EndProviderSessionsRequest, callback: grpc.requestCallback<_identity_v1_EndedSessions__Output>): grpc.ClientUnaryCall;
  
  EndSession(argument: _identity_v1_EndSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  EndSession(argument: _identity_v1_EndSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  EndSession(argument: _identity_v1_EndSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  EndSession(argument: _identity_v1_EndSessionRequest, callback: grpc.requestCallback<_identity_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  endSession(argument: _identity_v1_EndSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  endSession(argument: _identity_v1_EndSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_identity_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  endSession(argument: _identity_v1_EndSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_identity_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  endSession(argument: _identity_v1_EndSessionRequest, callback: grpc.requestCallback<_identity_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface SessionServiceHandlers extends grpc.UntypedServiceImplementation {
  AddSessionToken: grpc.handleUnaryCall<_identity_v1_AddSessionTokenRequest__Output, _identity_v1_AddSessionTokenResponse>;
  
  BeginSession: grpc.handleUnaryCall<_identity_v1_BeginSessionRequest__Output, _identity_v1_Session>;
  
  CheckSession: grpc.handleUnaryCall<_identity_v1_CheckSessionRequest__Output, _identity_v1_Session>;
  
  EndProviderSessions: grpc.handleUnaryCall<_identity_v1_EndProviderSessionsRequest__Output, _identity_v1_EndedSessions>;
  
  EndSession: grpc.handleUnaryCall<_identity_v1_EndSessionRequest__Output, _identity_v1_EndSessionResponse>;
  
}

export interface SessionServiceDefinition extends grpc.ServiceDefinition {
  AddSessionToken: MethodDefinition<_identity_v1_AddSessionTokenRequest, _identity_v1_AddSessionTokenResponse, _identity_v1_AddSessionTokenRequest__Output, _identity_v1_AddSessionTokenResponse__Output>
  BeginSession: MethodDefinition<_identity_v1_BeginSessionRequest, _identity_v1_Session, _identity_v1_BeginSessionRequest__Output, _identity_v1_Session__Output>
  CheckSession: MethodDefinition<_identity_v1_CheckSessionRequest, _identity_v1_Session, _identity_v1_CheckSessionRequest__Output, _identity_v1_Session__Output>
  EndProviderSessions: MethodDefinition<_identity_v1_EndProviderSessionsRequest, _identity_v1_EndedSessions, _identity_v1_EndProviderSessionsRequest__Output, _identity_v1_EndedSessions__Output>
  EndSession: MethodDefinition<_identity_v1_EndSessionRequest, _identity_v1_EndSessionResponse, _identity_v1_EndSessionRequest__Output, _identity_v1_EndSessionResponse__Output>
}
