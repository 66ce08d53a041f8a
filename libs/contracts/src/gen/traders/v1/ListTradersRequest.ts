// Original file: protos/traders/v1/traders.proto


export interface ListTradersRequest {
}

export interface ListTradersRequest__Output {
}
