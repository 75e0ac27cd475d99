/*
 * The names of class CH under which a server identifies itself (RFC 4892). A name is answered when a
 * value is configured for it, and otherwise refused like everything else in that class.
 */
import { nameFromText, nameKey, TYPE } from '../names/index.ts'
import { bareReply, type PlacedRRset, type Reply } from '../wire/index.ts'

export const CLASS_CH = 3

/** What a server reveals about itself; undefined reveals nothing. */
export interface ServerIdentity {
  /** Identifies one of several servers: `id.server`, `hostname.bind`, and NSID (RFC 5001). */
  readonly identity?: string | undefined
  /** `version.bind` and `version.server`. */
  readonly version?: string | undefined
}

type Rrset = PlacedRRset['rrset']

/** Answers questions of class CH. */
export class Chaos {
  readonly #rrsets = new Map<string, Rrset>()

  constructor({ identity, version }: ServerIdentity) {
    this.#add(['id.server.', 'hostname.bind.'], identity)
    this.#add(['version.server.', 'version.bind.'], version)
  }

  answer(qname: Uint8Array, qtype: number): Reply {
    const rrset = this.#rrsets.get(nameKey(qname))
    if (rrset === undefined) return bareReply('REFUSED', 'NOT_AUTHORITATIVE')
    // No zone contains these names, so there is no SOA for a NODATA answer.
    if (qtype !== TYPE.TXT && qtype !== TYPE.ANY) return bareReply('REFUSED', 'NOT_SUPPORTED')
    return { ...bareReply('NOERROR'), authoritative: true, answer: [{ owner: qname, rrset }] }
  }

  // RFC 4892 §2.1: resolvers must not cache the answer, so the TTL is 0.
  #add(names: readonly string[], text: string | undefined): void {
    if (text === undefined) return
    const rrset = { type: TYPE.TXT, ttlSeconds: 0, rdata: [characterStrings(text)] }
    for (const name of names) this.#rrsets.set(nameKey(nameFromText(name)), rrset)
  }
}

const STRING_LIMIT_BYTES = 255

/** Splits a text into the strings of a TXT record (RFC 1035 §3.3), of at most 255 octets each. */
function characterStrings(text: string): Buffer {
  const octets = Buffer.from(text)
  const strings: Buffer[] = []
  for (let at = 0; at < octets.length || at === 0; at += STRING_LIMIT_BYTES) {
    const string = octets.subarray(at, at + STRING_LIMIT_BYTES)
    strings.push(Buffer.from([string.length]), string)
  }
  return Buffer.concat(strings)
}
