import { expect, it } from 'vitest';
import { addressesIn, isLoopback } from './trace.ts';

const TRACE = `12 connect(19, {sa_family=AF_INET, sin_port=htons(4711), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
12 connect(19, {sa_family=AF_INET, sin_port=htons(4711), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
13 connect(20, {sa_family=AF_UNIX, sun_path="/run/nscd/socket"}, 110) = -1 ENOENT (No such file or directory)
13 connect(21, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2606:4700::1", &sin6_addr), sin6_scope_id=0}, 28) = -1 ENETUNREACH
13 sendto(22, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 1
`;

it('finds every internet address once', () => {
  expect(addressesIn(TRACE)).toEqual([
    { address: '127.0.0.1', port: 4711 },
    { address: '127.0.0.53', port: 53 },
    { address: '2606:4700::1', port: 443 },
  ]);
});

it('only the first of these is loopback: a question to a name server is a way out', () => {
  expect(addressesIn(TRACE).map(isLoopback)).toEqual([true, false, false]);
});
