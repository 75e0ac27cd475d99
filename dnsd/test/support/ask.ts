/*
 * Sends queries like a client: a DNS library that shares no code with the server parses the response. Records are
 * returned as lines, so that a test reads like a zone.
 */
import { decode, type Answer, type Packet } from 'dns-packet'
import { typeToText } from '../../src/names/index.ts'
import { createResponder, type ResponderOptions, type Transport } from '../../src/server/index.ts'
import type { Zone } from '../../src/zone/index.ts'
import { requestOctets, type RequestOptions } from './request-octets.ts'
import { zonesOf } from './zone-text.ts'
import { SILENT_EVENTS } from './events.ts'

/** A response in the form that tests compare. */
export interface Read {
  readonly id: number
  readonly rcode: string
  /** The flags of `qr aa tc rd ra z ad cd` that are set, in this order. */
  readonly flags: string
  readonly opcode: number
  readonly questions: number
  readonly answer: readonly string[]
  readonly authority: readonly string[]
  /** Without OPT and TSIG. */
  readonly additional: readonly string[]
  readonly opt: ReadOpt | undefined
  readonly octets: Buffer
}

export interface ReadOpt {
  readonly payloadBytes: number
  readonly version: number
  readonly dnssecOk: boolean
  readonly flags: number
  readonly optionCount: number
  /** Contents of the options by their codes, in hexadecimal. */
  readonly options: Readonly<Record<number, string>>
}

export type Ask = (
  name: string | Buffer,
  type: string | number,
  options?: RequestOptions & { readonly transport?: Transport; readonly client?: string },
) => Read

/** A function that queries these zones and fails the test without a response. */
export function asking(...zones: readonly Zone[]): Ask {
  return askingServer({}, ...zones)
}

/** The same, of a server with settings. */
export function askingServer(server: ResponderOptions, ...zones: readonly Zone[]): Ask {
  const send = sendingTo(server, ...zones)
  return (name, type, options = {}) => {
    const read = send(requestOctets(name, type, options), options.transport, options.client)
    if (read === undefined) throw new Error('no answer')
    return read
  }
}

export type Send = (packet: Uint8Array, transport?: Transport, client?: string) => Read | undefined

/** The same for packets as given, with or without a response. A fault of the server fails the test. */
export function sending(...zones: readonly Zone[]): Send {
  return sendingTo({}, ...zones)
}

/** The same, to a server with settings. */
export function sendingTo(server: ResponderOptions, ...zones: readonly Zone[]): Send {
  const events = {
    ...SILENT_EVENTS,
    failed(error: unknown) {
      throw error
    },
  }
  const respond = createResponder(zonesOf(...zones), events, server)
  return (packet, transport = 'udp', client = '192.0.2.250') => {
    const octets = respond(packet, transport, client)
    return octets === undefined ? undefined : read(octets)
  }
}

const FLAG_BITS = { qr: 15, aa: 10, tc: 9, rd: 8, ra: 7, z: 6, ad: 5, cd: 4 }
const RCODES = 'NOERROR FORMERR SERVFAIL NXDOMAIN NOTIMP REFUSED YXDOMAIN'.split(' ')
const HIGH_RCODES = new Map([
  [9, 'NOTAUTH'],
  [16, 'BADVERS'],
  [23, 'BADCOOKIE'],
])

/** @throws an error when the message cannot be parsed or has octets left over */
export function read(octets: Buffer): Read {
  const message = decode(octets)
  if (decode.bytes !== octets.length) throw new Error('octets after the message')
  const flags = octets.readUInt16BE(2)
  const opt = optOf(message)
  const rcode = (opt?.rcodeHigh ?? 0) * 16 + (flags & 0xf)
  return {
    id: octets.readUInt16BE(0),
    rcode: RCODES[rcode] ?? HIGH_RCODES.get(rcode) ?? String(rcode),
    flags: Object.entries(FLAG_BITS)
      .filter(([, bit]) => ((flags >>> bit) & 1) === 1)
      .map(([flag]) => flag)
      .join(' '),
    opcode: (flags >>> 11) & 0xf,
    questions: message.questions?.length ?? 0,
    answer: linesOf(message.answers),
    authority: linesOf(message.authorities),
    additional: linesOf(message.additionals),
    opt: opt?.opt,
    octets,
  }
}

function optOf({ additionals = [] }: Packet) {
  const [record, another] = additionals.filter((one) => one.type === 'OPT')
  if (record === undefined) return undefined
  if (another !== undefined) throw new Error('two OPT records')
  const opt: ReadOpt = {
    payloadBytes: record.udpPayloadSize,
    version: record.ednsVersion,
    dnssecOk: record.flag_do,
    flags: record.flags,
    optionCount: record.options.length,
    options: Object.fromEntries(
      record.options.map(({ code, data }) => [code, (data ?? Buffer.alloc(0)).toString('hex')]),
    ),
  }
  return { rcodeHigh: record.extendedRcode, opt }
}

function linesOf(records: readonly Answer[] = []): string[] {
  return records.flatMap((record) => {
    if (record.type === 'OPT' || record.type === 'TSIG') return []
    const { ttl = 0 } = record as { ttl?: number }
    const data = 'data' in record ? textOf(record.data) : ''
    const type = record.type.replace(/^UNKNOWN_(\d+)$/, (_, number) => typeToText(Number(number)))
    return [`${record.name} ${ttl} ${type} ${data}`]
  })
}

// Fields in the order of the library, which is that of the RDATA.
function textOf(data: unknown): string {
  if (Buffer.isBuffer(data)) return data.toString('hex')
  if (Array.isArray(data)) return data.map((one) => `"${String(one)}"`).join(' ')
  if (typeof data === 'object' && data !== null) return Object.values(data).map(String).join(' ')
  return String(data)
}
