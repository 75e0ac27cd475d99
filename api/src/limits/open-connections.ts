/** Limits on open connections: in total, and for one network. */
import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { plainAddress } from '../caller/request-source.ts'
import type { ApiConfig } from '../config/api.ts'
import { networkOf } from '../rules/networks.ts'

/** In total, of which 2,000 can be live streams. Each takes some kilobytes and a file descriptor. */
const CONNECTIONS_LIMIT = 12_000
/** For one network. A browser has six, and a parallel script some dozens. */
const NETWORK_CONNECTIONS_LIMIT = 512

/** Takes a connection out of the count of its network. */
const leaves = new WeakMap<Socket, () => void>()

/** From now on, a connection does not count as one of its network: for responses that take hours, which have limits of their own. */
export function countApart(socket: Socket): void {
  leaves.get(socket)?.()
}

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
    const address = plainAddress(socket.remoteAddress ?? '::')
    if (trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return
    const network = networkOf(address)
    const count = (open.get(network) ?? 0) + 1
    if (count > networkLimit) {
      socket.destroy()
      return
    }
    open.set(network, count)
    const leave = () => {
      if (!leaves.delete(socket)) return
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    }
    leaves.set(socket, leave)
    socket.once('close', leave)
  })
}
