// trace: the internet addresses in what strace wrote. A question to a name server is one, wherever that server is: who
// asks for a name wants to go there.

export interface Address {
  address: string;
  port: number;
}

const V4 = /sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/g;
const V6 = /sin6_port=htons\((\d+)\)[^}]*?inet_pton\(AF_INET6, "([^"]+)"/g;

export function addressesIn(trace: string): Address[] {
  const found = new Map<string, Address>();
  for (const pattern of [V4, V6]) {
    for (const [, port, address = ''] of trace.matchAll(pattern)) {
      found.set(`${address} ${port}`, { address, port: Number(port) });
    }
  }
  return [...found.values()];
}

export function isLoopback({ address, port }: Address): boolean {
  const local = /^127\.|^::1$|^::ffff:127\./.test(address);
  return local && port !== 53;
}
