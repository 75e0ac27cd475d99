/** Limits on open connections: in total, and for one network. */
import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { ApiConfig } from '../config/api.ts'
import { networkOf } from '../rules/networks.ts'

/** In total. Each takes some kilobytes and a file descriptor. */
const CONNECTIONS_LIMIT = 10_000
/** For one network. A browser has six, and a parallel script some dozens. */
const NETWORK_CONNECTIONS_LIMIT = 512

/** The trusted proxies of `TRUST_PROXY`. */
function proxies(trustProxy: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of trustProxy) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

/**
 * Immediately closes connections beyond a network's limit. Trusted proxies are exempt: they carry the
 * connections of many clients.
 */
export function limitConnections(
  server: Server,
  { trustProxy, rateLimits }: Pick<ApiConfig, 'trustProxy' | 'rateLimits'>,
  networkLimit = NETWORK_CONNECTIONS_LIMIT,
): void {
  if (!rateLimits) return
  server.maxConnections = CONNECTIONS_LIMIT
  const trusted = proxies(trustProxy)
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '::' } = socket
    const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
    if (trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return
    const network = networkOf(address)
    const count = (open.get(network) ?? 0) + 1
    if (count > networkLimit) {
      socket.destroy()
      return
    }
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
  })
}
