/*
 * UDP sockets as file descriptors, for `batch-socket.ts`.
 *
 * The kernel distributes clients over all sockets that share an address, including sockets that no thread reads
 * any more. A thread that dies leaves its descriptors open, so the thread that watches the others owns them: it
 * opens them, lends them, and closes them when the borrowing thread has ended.
 */
import { isIPv6 } from 'node:net'
import {
  AF_INET,
  AF_INET6,
  IPPROTO_IPV6,
  IPV6_V6ONLY,
  type Libc,
  loadLibc,
  SO_RCVBUF,
  SO_RCVTIMEO,
  SO_REUSEPORT,
  SO_SNDTIMEO,
  SOCK_CLOEXEC,
  SOCK_DGRAM,
  SOL_SOCKET,
  SystemCallError,
} from './batch-socket-libc.ts'

/** A socket that is bound to an address. */
export interface UdpDescriptor {
  readonly fd: number
  readonly family: 4 | 6
  readonly port: number
}

export interface UdpAddress {
  /** An IPv4 or IPv6 address. An IPv6 wildcard does not include IPv4. */
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
}

// Packets that arrive while the thread is busy wait in this kernel buffer; the kernel may limit its size.
const RECEIVE_BUFFER_OCTETS = 4 * 1024 * 1024
/** How long a thread waits in the kernel for a packet. It cannot receive messages from its process meanwhile. */
export const RECEIVE_TIMEOUT_MS = 100
// How long answers wait for buffer space. After that, they are dropped, as the network would have done.
const SEND_TIMEOUT_MS = 20

const SOCKADDR_OCTETS = { 4: 16, 6: 28 } as const
/** The offset of the address in sockaddr_in and in sockaddr_in6. */
const ADDRESS_AT = { 4: 4, 6: 8 } as const
const ADDRESS_OCTETS = { 4: 4, 6: 16 } as const
const PORT_AT = 2

/**
 * Opens a socket that can share its address (SO_REUSEPORT), and binds it.
 *
 * @throws SystemCallError when the address cannot be bound; Error when `loadLibc` throws
 */
export function openUdp(address: UdpAddress): UdpDescriptor {
  const libc = loadLibc()
  const family = isIPv6(address.host) ? 6 : 4
  const fd = libc.socket(family === 6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)
  if (fd < 0) throw new SystemCallError('socket', libc.errno())
  try {
    setOptions(libc, fd, family)
    return { fd, family, port: bindTo(libc, fd, family, address) }
  } catch (error) {
    libc.close(fd)
    throw error
  }
}

/**
 * Opens a socket for each host, or none.
 *
 * @throws like `openUdp`
 */
export function openUdpOnAll(hosts: readonly string[], port: number): UdpDescriptor[] {
  const opened: UdpDescriptor[] = []
  try {
    for (const host of hosts) opened.push(openUdp({ host, port }))
    return opened
  } catch (error) {
    opened.forEach(closeUdp)
    throw error
  }
}

/** Closes the socket. Call it once, when no thread uses it any more. */
export function closeUdp({ fd }: UdpDescriptor): void {
  loadLibc().close(fd)
}

function setOptions(libc: Libc, fd: number, family: 4 | 6): void {
  const set = (level: number, option: number, value: Int32Array | BigInt64Array): boolean => {
    const octets = new Uint8Array(value.buffer)
    return libc.setsockopt(fd, level, option, octets, octets.length) === 0
  }
  const number = (value: number) => Int32Array.of(value)
  // struct timeval: seconds and microseconds.
  const time = (milliseconds: number) => BigInt64Array.of(0n, BigInt(milliseconds) * 1000n)
  const failed = (option: string) => new SystemCallError(`setsockopt ${option}`, libc.errno())

  if (!set(SOL_SOCKET, SO_REUSEPORT, number(1))) throw failed('SO_REUSEPORT')
  // Without these two timeouts, a thread could not be stopped.
  if (!set(SOL_SOCKET, SO_RCVTIMEO, time(RECEIVE_TIMEOUT_MS))) throw failed('SO_RCVTIMEO')
  if (!set(SOL_SOCKET, SO_SNDTIMEO, time(SEND_TIMEOUT_MS))) throw failed('SO_SNDTIMEO')
  if (family === 6 && !set(IPPROTO_IPV6, IPV6_V6ONLY, number(1))) throw failed('IPV6_V6ONLY')
  // The kernel may give a smaller buffer; any size is acceptable.
  set(SOL_SOCKET, SO_RCVBUF, number(RECEIVE_BUFFER_OCTETS))
}

/** @returns the port that the socket is bound to */
function bindTo(libc: Libc, fd: number, family: 4 | 6, { host, port }: UdpAddress): number {
  const system = family === 6 ? AF_INET6 : AF_INET
  const name = new Uint8Array(SOCKADDR_OCTETS[family])
  const view = new DataView(name.buffer)
  view.setUint16(0, system, true)
  view.setUint16(PORT_AT, port)
  const address = new Uint8Array(16)
  if (libc.inet_pton(system, host, address) !== 1) throw new Error(`${host} is not an IP address`)
  name.set(address.subarray(0, ADDRESS_OCTETS[family]), ADDRESS_AT[family])
  if (libc.bind(fd, name, name.length) !== 0) {
    throw new SystemCallError('bind', libc.errno(), `${host}:${port}`)
  }
  const octets = new Uint8Array(Uint32Array.of(name.length).buffer)
  if (libc.getsockname(fd, name, octets) !== 0) {
    throw new SystemCallError('getsockname', libc.errno())
  }
  return view.getUint16(PORT_AT)
}
