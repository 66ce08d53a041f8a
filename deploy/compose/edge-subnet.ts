/**
 * Of the network that proxy, portal and gateway are on and that no other container joins. Docker takes none of these
 * addresses by itself (172.17.0.0 to 172.31.255.255 and 192.168.0.0/16).
 */
export const EDGE_SUBNET = '172.16.86.0/24';
