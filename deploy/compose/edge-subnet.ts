/**
 * Network of proxy, portal and gateway. It is outside of the ranges that Docker assigns by default
 * (172.17.0.0 to 172.31.255.255 and 192.168.0.0/16).
 */
export const EDGE_SUBNET = '172.16.86.0/24';
