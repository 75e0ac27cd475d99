/* The RDATA of each served type: its fields in order, and the checks between fields. */
import { TYPE } from '../record-type.ts'
import { characterString, characterStrings } from './character-string.ts'
import type { RdataField } from './field.ts'
import { checkNaptr } from './naptr.ts'
import { caaTag, caaValue, hexOctets } from './octets-field.ts'
import {
  domainName,
  ipv4Address,
  ipv6Address,
  number16,
  number32,
  number8,
  seconds,
} from './plain-fields.ts'
import { RdataError } from './rdata-error.ts'
import { svcParams } from './svc-params.ts'

export interface Layout {
  readonly fields: readonly RdataField[]
  /** Throws RdataError when the fields are valid separately but not together. */
  readonly check?: (wire: Buffer) => void
  /** Whether the canonical form folds the names (RFC 4034 §6.2; types after RFC 3597 do not). */
  readonly foldsNames?: true
}

const DIGEST_OCTETS = new Map([
  ['SHA-1', 20],
  ['SHA-256', 32],
  ['SHA-384', 48],
  ['SHA-512', 64],
])

/**
 * A check that the digest from `offset` on has the size of its algorithm, whose number is at `kindAt`. Unknown numbers
 * pass.
 */
function digestSize(
  kindAt: number,
  offset: number,
  kinds: Readonly<Record<number, string>>,
): (wire: Buffer) => void {
  return (wire) => {
    const kind = kinds[wire[kindAt] ?? 0]
    const octets = DIGEST_OCTETS.get(kind ?? '')
    if (octets !== undefined && wire.length - offset !== octets) {
      throw new RdataError(
        `a ${kind} digest has ${octets} octets, ${octets * 2} hexadecimal digits; this one has ${wire.length - offset} octets`,
      )
    }
  }
}

// RFC 9460 §2.4.2: an alias (priority 0) has no parameters. Recipients ignore them, so they are a mistake.
function aliasWithoutParams(wire: Buffer): void {
  let at = 2
  while ((wire[at] ?? 0) !== 0) at += 1 + (wire[at] ?? 0)
  if (wire.readUInt16BE(0) === 0 && at + 1 < wire.length)
    throw new RdataError('priority 0 is an alias and takes no parameters')
}

const oneName = (label: string): Layout => ({ fields: [domainName(label)], foldsNames: true })

const service: Layout = {
  fields: [number16('priority'), domainName('target'), svcParams],
  check: aliasWithoutParams,
}

export const layouts: ReadonlyMap<number, Layout> = new Map<number, Layout>([
  [TYPE.A, { fields: [ipv4Address] }],
  [TYPE.AAAA, { fields: [ipv6Address] }],
  [TYPE.NS, oneName('name server')],
  [TYPE.CNAME, oneName('canonical name')],
  [TYPE.PTR, oneName('name')],
  [TYPE.DNAME, oneName('target')],
  [
    TYPE.SOA,
    {
      fields: [
        domainName('MNAME'),
        domainName('RNAME'),
        number32('serial'),
        seconds('refresh'),
        seconds('retry'),
        seconds('expire'),
        seconds('minimum'),
      ],
      foldsNames: true,
    },
  ],
  [TYPE.MX, { fields: [number16('preference'), domainName('exchange')], foldsNames: true }],
  [TYPE.TXT, { fields: [characterStrings('text')] }],
  [
    TYPE.SRV,
    {
      fields: [number16('priority'), number16('weight'), number16('port'), domainName('target')],
      foldsNames: true,
    },
  ],
  [
    TYPE.NAPTR,
    {
      fields: [
        number16('order'),
        number16('preference'),
        characterString('flags'),
        characterString('services'),
        characterString('regexp'),
        domainName('replacement'),
      ],
      check: checkNaptr,
      foldsNames: true,
    },
  ],
  [
    // RFC 4034 §5.1, digest types of RFC 3658, RFC 4509 and RFC 6605.
    TYPE.DS,
    {
      fields: [
        number16('key tag'),
        number8('algorithm'),
        number8('digest type'),
        hexOctets('digest'),
      ],
      check: digestSize(3, 4, { 1: 'SHA-1', 2: 'SHA-256', 4: 'SHA-384' }),
    },
  ],
  [
    // RFC 4255 §3.1, RFC 6594 for SHA-256.
    TYPE.SSHFP,
    {
      fields: [number8('algorithm'), number8('fingerprint type'), hexOctets('fingerprint')],
      check: digestSize(1, 2, { 1: 'SHA-1', 2: 'SHA-256' }),
    },
  ],
  [
    // RFC 6698 §2.1: matching type 0 is the certificate itself, of any size.
    TYPE.TLSA,
    {
      fields: [
        number8('usage'),
        number8('selector'),
        number8('matching type'),
        hexOctets('certificate data'),
      ],
      check: digestSize(2, 3, { 1: 'SHA-256', 2: 'SHA-512' }),
    },
  ],
  [TYPE.CAA, { fields: [number8('flags'), caaTag, caaValue] }],
  [TYPE.SVCB, service],
  [TYPE.HTTPS, service],
])
