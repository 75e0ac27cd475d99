/*
 * The system calls of `batch-socket.ts`, called through koffi, and the few Linux constants and layouts that
 * they need. Only 64-bit Linux is supported: x64 and arm64 share every number below, and every structure has
 * the same layout with glibc and musl.
 *
 * Two kinds of pointers are passed. A `Pointer` is the number of an address outside the JavaScript heap
 * (`batch-socket-memory.ts`): koffi does not convert or retain it, and the garbage collector does not move the
 * memory. An array of octets is for arguments that the kernel no longer uses when the call returns. koffi
 * passes the address of its contents, which cannot move during the call because the call blocks the thread.
 */
import type Koffi from 'koffi'
import { createRequire } from 'node:module'
import { endianness } from 'node:os'
import { getSystemErrorName } from 'node:util'

export const AF_INET = 2
export const AF_INET6 = 10
export const SOCK_DGRAM = 2
export const SOCK_CLOEXEC = 0x80000
export const SOL_SOCKET = 1
export const SO_RCVBUF = 8
export const SO_REUSEPORT = 15
export const SO_RCVTIMEO = 20
export const SO_SNDTIMEO = 21
export const IPPROTO_IPV6 = 41
export const IPV6_V6ONLY = 26
export const MSG_DONTWAIT = 0x40
export const MSG_WAITFORONE = 0x10000
export const POLLIN = 1

export const EINTR = 4
export const EBADF = 9
export const EAGAIN = 11
export const ENOMEM = 12
export const EFAULT = 14
export const ENOTSOCK = 88
export const ENOBUFS = 105

/** An address of memory outside the JavaScript heap. */
export type Pointer = bigint

export interface Libc {
  socket(family: number, type: number, protocol: number): number
  setsockopt(fd: number, level: number, option: number, value: Uint8Array, octets: number): number
  bind(fd: number, address: Uint8Array, octets: number): number
  getsockname(fd: number, address: Uint8Array, octets: Uint8Array): number
  inet_pton(family: number, text: string, address: Uint8Array): number
  recvmmsg(fd: number, messages: Pointer, count: number, flags: number, timeout: null): number
  sendmmsg(fd: number, messages: Pointer, count: number, flags: number): number
  poll(descriptors: Uint8Array, count: number, timeoutMs: number): number
  close(fd: number): number
  /** errno of the last call on this thread. */
  errno(): number
  /** Allocates zeroed memory that does not move until `free`. */
  allocate(octets: number): Pointer
  free(memory: Pointer): void
  /** A buffer over the memory, without a copy. */
  view(memory: Pointer, octets: number): ArrayBuffer
}

const SIGNATURES = {
  socket: ['int', 'int', 'int'],
  setsockopt: ['int', 'int', 'int', 'void *', 'uint32_t'],
  bind: ['int', 'void *', 'uint32_t'],
  getsockname: ['int', 'void *', 'void *'],
  inet_pton: ['int', 'str', 'void *'],
  recvmmsg: ['int', 'void *', 'uint32_t', 'int', 'void *'],
  sendmmsg: ['int', 'void *', 'uint32_t', 'int'],
  poll: ['void *', 'uint64_t', 'int'],
  close: ['int'],
} as const

let loaded: Libc | undefined

/**
 * Loads the system's C library.
 *
 * @throws Error with the reason why it cannot be called here
 */
export function loadLibc(): Libc {
  loaded ??= load()
  return loaded
}

function load(): Libc {
  const { platform, arch } = process
  if (platform !== 'linux') throw new Error(`there is no recvmmsg on ${platform}`)
  if ((arch !== 'x64' && arch !== 'arm64') || endianness() !== 'LE') {
    throw new Error(`its structures are not known on ${arch}`)
  }
  // Not imported statically: koffi throws where it has no prebuilt binary, and this file must still load
  // there.
  const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi
  // The C library that the process is linked with, glibc or musl, whatever its file name is.
  const library = koffi.load(null)
  const functions = Object.entries(SIGNATURES).map(
    ([name, parameters]) => [name, library.func(name, 'int', [...parameters])] as const,
  )
  return {
    ...(Object.fromEntries(functions) as unknown as Libc),
    errno: () => koffi.errno(),
    allocate: (octets) => koffi.alloc('uint8_t', octets) as Pointer,
    free: (memory) => {
      koffi.free(memory)
    },
    view: (memory, octets) => koffi.view(memory, octets),
  }
}

/**
 * An error in the form that Node's own sockets throw: `code` is the error name, and the message says what
 * failed.
 */
export class SystemCallError extends Error {
  readonly code: string
  readonly errno: number

  constructor(call: string, errno: number, detail = '') {
    const code = errno > 0 ? getSystemErrorName(-errno) : 'UNKNOWN'
    super(`${call} ${code}${detail === '' ? '' : ` ${detail}`}`)
    this.name = 'SystemCallError'
    this.code = code
    this.errno = errno
  }
}
