import { nameFromText, typeFromText } from '../../src/names/index.ts'

export interface RequestOptions {
  readonly id?: number
  readonly opcode?: number
  readonly recursionDesired?: boolean
  readonly checkingDisabled?: boolean
  readonly qclass?: number
  /** An OPT record with this content. */
  readonly edns?: EdnsOptions | undefined
  /** Whole records after the OPT record. */
  readonly additional?: readonly Buffer[]
}

export interface EdnsOptions {
  readonly payloadBytes?: number
  readonly version?: number
  readonly flags?: number
  readonly options?: Buffer
}

export function uint16(number: number): Buffer {
  const octets = Buffer.alloc(2)
  octets.writeUInt16BE(number)
  return octets
}

/** A record in wire form, its owner too. */
export function recordOctets(
  owner: Buffer,
  type: number,
  fixed: { readonly rclass?: number; readonly ttl?: number },
  rdata: Buffer,
): Buffer {
  const ttl = Buffer.alloc(4)
  ttl.writeUInt32BE(fixed.ttl ?? 0)
  return Buffer.concat([
    owner,
    uint16(type),
    uint16(fixed.rclass ?? 1),
    ttl,
    uint16(rdata.length),
    rdata,
  ])
}

export function optOctets({
  payloadBytes = 1232,
  version = 0,
  flags = 0,
  options,
}: EdnsOptions): Buffer {
  const ttl = version * 0x1_0000 + flags
  const fixed = { rclass: payloadBytes, ttl }
  return recordOctets(Buffer.from([0]), 41, fixed, options ?? Buffer.alloc(0))
}

/** The 12 octets before the question. */
export function headerOctets(
  { id = 0x1234, opcode = 0, recursionDesired, checkingDisabled }: RequestOptions,
  counts: readonly [number, number, number, number],
): Buffer {
  const flags = (opcode << 11) | (recursionDesired ? 0x0100 : 0) | (checkingDisabled ? 0x0010 : 0)
  return Buffer.concat([id, flags, ...counts].map(uint16))
}

/** A name, type and class as in a question; the name as text or as octets. */
export function questionOctets(name: string | Buffer, type: string | number, qclass = 1): Buffer {
  const wire = typeof name === 'string' ? nameFromText(name, Buffer.from([0])) : name
  const typeNumber = typeof type === 'string' ? typeFromText(type) : type
  return Buffer.concat([wire, uint16(typeNumber), uint16(qclass)])
}

/** A request with one question, written octet by octet, so that a test can make it invalid in any way. */
export function requestOctets(
  name: string | Buffer,
  type: string | number,
  options: RequestOptions = {},
): Buffer {
  const additional = [
    ...(options.edns ? [optOctets(options.edns)] : []),
    ...(options.additional ?? []),
  ]
  return Buffer.concat([
    headerOctets(options, [1, 0, 0, additional.length]),
    questionOctets(name, type, options.qclass),
    ...additional,
  ])
}

/** An option of an OPT record; its content as octets, as hexadecimal digits, or empty. */
export function optionOctets(code: number, content: Buffer | string = ''): Buffer {
  const octets = typeof content === 'string' ? Buffer.from(content, 'hex') : content
  return Buffer.concat([uint16(code), uint16(octets.length), octets])
}

/** An OPT record with these options, for `edns`. */
export function ednsWith(...options: readonly Buffer[]): EdnsOptions {
  return { options: Buffer.concat(options) }
}
