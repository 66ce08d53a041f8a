// Original file: protos/common/v1/activity.proto


export interface GetActivityRequest {
}

export interface GetActivityRequest__Output {
}
