/*
 * Every record type that a zone can contain, from a master file through sockets to the octets that a client gets. The
 * octets are compared with the file: by the parser of a library if it knows the type, and always by our own.
 */
import { once } from 'node:events'
import { createSocket } from 'node:dgram'
import { decode, encode, type Answer } from 'dns-packet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  isProblem,
  nameFromText,
  nameKey,
  nameToText,
  parseMasterFile,
  SERVED_TYPES,
  TYPE,
  typeToText,
  type MasterRecord,
} from '../../src/names/index.ts'
import { Zone, type OwnerState, type RRset, type SoaParameters } from '../../src/zone/index.ts'
import { recordsOf, type RawRecord } from '../support/message-records.ts'
import { requestOctets } from '../support/request-octets.ts'
import { serve, type TestServer } from '../support/server.ts'
import { TcpClient } from '../support/tcp-client.ts'

const MASTER_FILE = `
$ORIGIN home.test.
$TTL 1h
@        SOA    ns1 hostmaster ( 7 1h 10m 2w 1m )
         NS     ns1
         NS     ns.elsewhere.example.
         MX     10 mail
         MX     0 home.test.
         TXT    "v=spf1 -all" "" "\\"quoted\\" \\000\\255"
         CAA    0 issue "ca.example.net; account=1"
         CAA    128 iodef "mailto:security@home.test"
         HTTPS  1 . alpn=h2,h3 port=8443 ipv4hint=192.0.2.1 ipv6hint=2001:db8::1
ns1      A      192.0.2.53
         AAAA   2001:db8::53
alice 60 A      192.0.2.1
alice 60 A      255.255.255.255
      60 AAAA   ::
      60 SSHFP  4 2 ${'ab'.repeat(32)}
      60 TYPE65280 \\# 5 0102030405
      60 TYPE731 \\# 0
www      CNAME  alice
*.wild   CNAME  alice.home.test.
1.2.0.192 PTR   Alice.home.test.
_443._tcp.alice TLSA 3 1 1 ${'cd'.repeat(32)}
_sip._udp SRV   10 20 5060 alice
_none._udp SRV  0 0 0 .
svc      SVCB   0 pool.home.test.
svc2     SVCB   16 foo.example. mandatory=alpn,ipv4hint alpn=h2 ipv4hint=192.0.2.1 key667="hello\\210qoo"
enum     NAPTR  100 10 "u" "E2U+sip" "!^.*$!sip:info@home.test!" .
         NAPTR  102 10 "s" "SIP+D2U" "" _sip._udp
old      DNAME  new.home.test.
signed   NS     ns.signed
         DS     12345 13 2 ${'ef'.repeat(32)}
ns.signed A     192.0.2.54
`

const origin = nameFromText('home.test.')
const records = [...parseMasterFile(MASTER_FILE, { origin })].map((item) => {
  if (isProblem(item)) throw new Error(`line ${item.line}: ${item.message}`)
  return item
})

/** Records of one owner and type. */
const sets = Map.groupBy(records, ({ owner, type }) => `${nameKey(owner)} ${type}`)

function loadedZone(): Zone {
  const soa = records.find(({ type }) => type === TYPE.SOA)
  if (soa === undefined) throw new Error('no SOA')
  const owners = Map.groupBy([...sets.values()], ([first]) => nameKey(first?.owner ?? origin))
  const states = [...owners.values()].flatMap((ofOwner): OwnerState[] => {
    const rrsets = ofOwner.map(rrsetOf).filter(({ type }) => type !== TYPE.SOA)
    return [{ owner: ofOwner[0]?.[0]?.owner ?? origin, rrsets }]
  })
  const zone = new Zone(origin, { serial: 6n, feedId: 'feed', token: 'a' }, soaParameters(soa))
  zone.apply(states, { serial: 7n, feedId: 'feed', token: 'b' })
  return zone
}

function rrsetOf(set: readonly MasterRecord[]): RRset {
  const { type = 0, ttlSeconds = 0 } = set[0] ?? {}
  return { type, ttlSeconds, rdata: set.map(({ rdata }) => rdata) }
}

function soaParameters({ rdata, ttlSeconds }: MasterRecord): SoaParameters {
  const mname = nameFromText('ns1', origin)
  const rname = nameFromText('hostmaster', origin)
  const numberAt = (index: number) => rdata.readUInt32BE(rdata.length - 20 + 4 * index)
  return {
    mname,
    rname,
    refreshSeconds: numberAt(1),
    retrySeconds: numberAt(2),
    expireSeconds: numberAt(3),
    minimumSeconds: numberAt(4),
    ttlSeconds,
  }
}

let server: TestServer
beforeAll(async () => {
  server = await serve([loadedZone()], { hosts: ['127.0.0.1'] })
})
afterAll(async () => server.close())

async function overUdp(packet: Buffer): Promise<Buffer> {
  const socket = createSocket('udp4')
  socket.send(packet, server.port, '127.0.0.1')
  const [message] = (await once(socket, 'message')) as [Buffer]
  socket.close()
  return message
}

async function overTcp(packet: Buffer): Promise<Buffer> {
  const client = await TcpClient.open(server.port)
  const reply = await client.ask(packet)
  client.socket.destroy()
  return reply?.octets ?? Buffer.alloc(0)
}

/** The answer section as in the file, with the file's order within a set. */
function expected(set: readonly MasterRecord[]): RawRecord[] {
  return set.map(({ owner, type, ttlSeconds, rdata }) => {
    return { owner, type, rclass: 1, ttl: ttlSeconds, rdata }
  })
}

/** RDATA as the library parses it from the message and writes it again, with names in full. */
function readByLibrary(message: Buffer): (Buffer | undefined)[] {
  return (decode(message).answers ?? []).map((answer: Answer) => {
    if (!KNOWN_TO_LIBRARY.has(answer.type)) return undefined
    return recordsOf(encode({ type: 'response', answers: [answer] }))[0]?.rdata
  })
}

// It has no parser for SVCB, HTTPS and types without a name. It treats strings of NAPTR and CAA as UTF-8; those here
// are ASCII.
const KNOWN_TO_LIBRARY = new Set(
  'A AAAA NS CNAME SOA PTR MX TXT SRV CAA NAPTR DNAME DS SSHFP TLSA'.split(' '),
)

describe('record types', () => {
  it('that are served are all in the file, and some without a name', () => {
    const inFile = new Set(records.map(({ type }) => type))
    expect(SERVED_TYPES.filter((type) => !inFile.has(type))).toEqual([])
    expect([inFile.has(65_280), inFile.has(731)]).toEqual([true, true])
  })

  const asked = [...sets.values()]
    .map((set) => ({ set, first: set[0] }))
    .filter(({ first }) => first !== undefined && !isBelowCut(first))
    .map(({ set, first }) => {
      const { owner = origin, type = 0 } = first ?? {}
      return {
        set,
        owner,
        type,
        title: `${set.length} ${typeToText(type)} of ${nameToText(owner)}`,
      }
    })

  it.each(asked)('$title is answered over UDP and TCP as in the file', async (one) => {
    const packet = requestOctets(one.owner, one.type, { edns: { payloadBytes: 4096 } })
    for (const message of [await overUdp(packet), await overTcp(packet)]) {
      const answer = recordsOf(message).slice(0, one.set.length)
      expect(message.readUInt16BE(6)).toBe(one.set.length)
      expect(answer).toEqual(expected(one.set))
      const byLibrary = readByLibrary(message)
      byLibrary.forEach((rdata, at) => {
        expect(rdata ?? answer[at]?.rdata).toEqual(one.set[at]?.rdata)
      })
    }
  })

  it('of wildcards and DNAMEs have the queried name as owner', async () => {
    const under = async (name: string, type: string) =>
      recordsOf(await overUdp(requestOctets(name, type))).map(({ owner, type: got, rdata }) => ({
        owner: owner.toString('latin1'),
        type: got,
        rdata,
      }))
    const wire = (name: string) => nameFromText(name).toString('latin1')
    expect((await under('any.wild.home.test', 'CNAME'))[0]).toEqual({
      owner: wire('any.wild.home.test.'),
      type: TYPE.CNAME,
      rdata: nameFromText('alice.home.test.'),
    })
    expect(await under('x.old.home.test', 'CNAME')).toEqual([
      { owner: wire('old.home.test.'), type: TYPE.DNAME, rdata: nameFromText('new.home.test.') },
      {
        owner: wire('x.old.home.test.'),
        type: TYPE.CNAME,
        rdata: nameFromText('x.new.home.test.'),
      },
    ])
  })
})

/** For NS at a cut and names below it, the server answers with a referral. */
function isBelowCut({ owner, type }: MasterRecord): boolean {
  const isCut = nameKey(owner) === nameKey(nameFromText('signed', origin))
  const isGlue = nameKey(owner) === nameKey(nameFromText('ns.signed', origin))
  return isGlue || (isCut && type === TYPE.NS)
}
