/* Any well-formed RDATA of each served type, for property tests. */
import * as fc from 'fast-check'
import { TYPE } from '../record-type.ts'
import { wireName } from '../test-support.ts'

type Octets = fc.Arbitrary<Buffer>

const bytes = (minLength: number, maxLength = minLength): Octets =>
  fc.uint8Array({ minLength, maxLength }).map((octets) => Buffer.from(octets))
const constant = (...octets: number[]): Octets => fc.constant(Buffer.from(octets))
const joined = (...parts: Octets[]): Octets => fc.tuple(...parts).map((all) => Buffer.concat(all))
const string: Octets = bytes(0, 255).map((octets) =>
  Buffer.concat([Buffer.from([octets.length]), octets]),
)
const list = (item: Octets, maxLength: number): Octets =>
  fc.array(item, { minLength: 1, maxLength }).map((items) => Buffer.concat(items))
const withLength = (text: fc.Arbitrary<string>): Octets =>
  text.map((given) => Buffer.from(`${String.fromCharCode(given.length)}${given}`, 'latin1'))
const tag: Octets = withLength(fc.stringMatching(/^[0-9A-Za-z]{1,20}$/))

function param(key: number, value: Octets): Octets {
  return value.map((octets) =>
    Buffer.concat([
      Buffer.from([key >> 8, key & 0xff, octets.length >> 8, octets.length & 0xff]),
      octets,
    ]),
  )
}

const protocol: Octets = bytes(1, 20).map((octets) =>
  Buffer.concat([Buffer.from([octets.length]), octets]),
)
const addresses = (octets: 4 | 16): Octets => list(bytes(octets), 3)

// Each parameter is present or absent, in ascending order of keys, so that any choice of them is well-formed.
const params: Octets = fc
  .tuple(
    ...[
      joined(param(0, constant(0, 1)), param(1, list(protocol, 3)), param(2, constant())),
      param(3, bytes(2)),
      param(4, addresses(4)),
      param(5, bytes(1, 30)),
      param(6, addresses(16)),
      param(
        7,
        fc.string().map((text) => Buffer.from(`/${text.replaceAll(/[{}]/g, '')}{?dns}`)),
      ),
      param(8, constant()),
      param(667, bytes(0, 300)),
    ].map((each) => fc.option(each, { nil: Buffer.alloc(0) })),
  )
  .map((all) => Buffer.concat(all))

const service = fc.oneof(
  joined(constant(0, 0), wireName()),
  joined(
    bytes(2).filter((priority) => priority.readUInt16BE() > 0),
    wireName(),
    params,
  ),
)

const digest = (kinds: Readonly<Record<number, number>>): Octets =>
  fc.oneof(
    ...Object.entries(kinds).map(([kind, octets]) => joined(constant(Number(kind)), bytes(octets))),
    joined(constant(200), bytes(1, 80)),
  )

const flags = withLength(fc.stringMatching(/^[0-9A-Za-z]{0,9}$/))
const rewrite = fc.oneof(
  joined(constant(0), wireName()),
  joined(
    withLength(fc.stringMatching(/^!([a-z^.$*"; ]|\\.){1,40}!([a-z"; ]|\\[1-9]){0,40}!i?$/)),
    constant(0),
  ),
)

const wires = new Map<number, Octets>([
  [TYPE.A, bytes(4)],
  [TYPE.AAAA, bytes(16)],
  [TYPE.NS, wireName()],
  [TYPE.CNAME, wireName()],
  [TYPE.PTR, wireName()],
  [TYPE.DNAME, wireName()],
  [TYPE.SOA, joined(wireName(), wireName(), bytes(20))],
  [TYPE.MX, joined(bytes(2), wireName())],
  [TYPE.TXT, list(string, 4)],
  [TYPE.SRV, joined(bytes(6), wireName())],
  [TYPE.NAPTR, joined(bytes(4), flags, string, rewrite)],
  [TYPE.DS, joined(bytes(3), digest({ 1: 20, 2: 32, 4: 48 }))],
  [TYPE.SSHFP, joined(bytes(1), digest({ 1: 20, 2: 32 }))],
  [TYPE.TLSA, joined(bytes(2), digest({ 0: 700, 1: 32, 2: 64 }))],
  [TYPE.CAA, joined(bytes(1), tag, bytes(0, 400))],
  [TYPE.SVCB, service],
  [TYPE.HTTPS, service],
])

/** Any well-formed RDATA of a served type. */
export function rdataWire(type: number): Octets {
  const wire = wires.get(type)
  if (wire === undefined) throw new Error(`no RDATA is described for type ${type}`)
  return wire
}
