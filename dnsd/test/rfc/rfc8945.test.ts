import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../test/outside-tool.ts'
import { nameFromText } from '../../src/names/index.ts'
import { createResponder } from '../../src/server/index.ts'
import { createSignedResponder } from '../../src/transfer/signed-responder.ts'
import { TSIG_ALGORITHMS } from '../../src/wire/tsig-key.ts'
import { findTsig, tsigOctets, withRecord } from '../../src/wire/tsig-record.ts'
import { checkTsig, TsigSigner } from '../../src/wire/tsig-signature.ts'
import { asking, read } from '../support/ask.ts'
import { SILENT_EVENTS } from '../support/events.ts'
import { recordOctets, requestOctets, uint16 } from '../support/request-octets.ts'
import { serve } from '../support/server.ts'
import { accessOf, keyNamed, SECRET, sendingTo, signedRequest } from '../support/signed.ts'
import { zoneFromText, zonesOf } from '../support/zone-text.ts'

const ask = asking(zoneFromText('home.test.', 'alice 60 A 192.0.2.1'))
const TIME = Buffer.from([0, 0, 0x69, 0x1f, 0x40, 0])
const HMAC_SHA256 = nameFromText('hmac-sha256.')

function tsigRdata({ mac = Buffer.alloc(32, 0xaa), algorithm = HMAC_SHA256 } = {}): Buffer {
  const afterMac = [uint16(0x1234), uint16(0), uint16(0)]
  return Buffer.concat([algorithm, TIME, uint16(300), uint16(mac.length), mac, ...afterMac])
}

const tsig = (rdata = tsigRdata(), owner = nameFromText('made.up.key.')) =>
  recordOctets(owner, 250, { rclass: 255 }, rdata)

describe('RFC 8945 §5.2.1: an unknown key', () => {
  it.each(['A', 'AXFR', 'SOA'])('gets no data for %s: NOTAUTH', (type) => {
    const reply = ask('alice.home.test', type, { additional: [tsig()] })
    expect([reply.rcode, reply.flags, reply.questions]).toEqual(['NOTAUTH', 'qr', 1])
    expect([reply.answer, reply.authority, reply.additional]).toEqual([[], [], []])
  })

  it('§5.3.2: gets BADKEY in a record without MAC, the last one', () => {
    const reply = ask('alice.home.test', 'A', { edns: {}, additional: [tsig()] })
    const rdata = [HMAC_SHA256, TIME, uint16(300), uint16(0), uint16(0x1234), uint16(17), uint16(0)]
    const expected = tsig(Buffer.concat(rdata))
    expect(reply.octets.subarray(-expected.length)).toEqual(expected)
    expect(reply.opt).toBeDefined()
  })

  it('gets no answer longer than its request', () => {
    const request = 12 + 21 + tsig().length
    expect(ask('alice.home.test', 'A', { additional: [tsig()] }).octets.length).toBeLessThan(
      request,
    )
  })

  it('gets only the code where the record has no room', () => {
    const label = (length: number) => Buffer.alloc(length + 1, 97).fill(length, 0, 1)
    const longName = Buffer.concat([...[63, 63, 63, 61].map(label), Buffer.from([0])])
    const record = tsig(tsigRdata({ algorithm: longName }), longName)
    const reply = ask(longName, 'A', { additional: [record] })
    expect([reply.rcode, reply.flags, reply.octets.length]).toEqual(['NOTAUTH', 'qr', 271])
  })

  it('gets only the code when its name is compressed', () => {
    const record = tsig(tsigRdata(), Buffer.from([0xc0, 12]))
    const reply = ask('alice.home.test', 'A', { additional: [record] })
    expect([reply.rcode, reply.octets.length]).toEqual(['NOTAUTH', 12 + 21])
  })
})

describe('RFC 8945 §5.1 and §5.2: a misplaced or malformed record is FORMERR', () => {
  const other = recordOctets(Buffer.from([0]), 1, {}, Buffer.alloc(4))
  const whole = tsigRdata()
  it.each([
    ['not the last', [tsig(), other]],
    ['two', [tsig(), tsig()]],
    ['another class', [recordOctets(nameFromText('key.'), 250, { rclass: 1 }, whole)]],
    ['no RDATA', [tsig(Buffer.alloc(0))]],
    ['cut off', [tsig(whole.subarray(0, -1))]],
    ['too long', [tsig(Buffer.concat([whole, Buffer.from([0])]))]],
    ['a compressed algorithm', [tsig(tsigRdata({ algorithm: Buffer.from([0xc0, 12]) }))]],
  ])('%s', (_what, additional) => {
    const reply = ask('alice.home.test', 'A', { additional })
    expect([reply.rcode, reply.answer]).toEqual(['FORMERR', []])
  })
})

const zone = zoneFromText(
  'home.test.',
  ['alice 60 A 192.0.2.1', ...Array.from({ length: 29 }, (_, n) => `many 60 A 10.0.0.${n}`)].join(
    '\n',
  ),
)
const key = keyNamed('transfer.key')
const NOW = 1_795_280_104
const request = (name: string, type = 'A') => requestOctets(name, type, { id: 0x4321 })

/** Requests signed by dig 9.18, at the second `NOW`. */
const OF_DIG = {
  'hmac-sha256':
    'd0a00120000100000000000105616c69636504686f6d6504746573740000010001087472616e73666572036b65790000fa00ff00000000003d0b686d61632d7368613235360000006b01cce8012c0020a1fddab4b5f2547171b81900ca34bbe20fb5451201312b1cfee20309a339ee42d0a000000000',
  'hmac-sha384':
    '3a1f0120000100000000000105616c69636504686f6d6504746573740000010001087472616e73666572036b65790000fa00ff00000000004d0b686d61632d7368613338340000006b01cce9012c00300c5c926859f68182a4cddfb041c19c702184bc06196dc484fb74008a4fc9d5b26cb427336691088731a7abe2566358ad3a1f00000000',
  'hmac-sha512':
    'd4b80120000100000000000105616c69636504686f6d6504746573740000010001087472616e73666572036b65790000fa00ff00000000005d0b686d61632d7368613531320000006b01ccea012c0040abff9f2834eb4418185c2620b713f8d511a8c0985891be3d90b0253cb13248e9b233d535a2f8b3bd3614ecbac5f1307b76faf856b59326e6760135419e475af5d4b800000000',
} as const

/** The TSIG record of an answer, and whether its MAC is valid for an answer to the request. */
function signatureOf(answer: Buffer, requestMac: Buffer, nowSeconds = NOW) {
  const placed = findTsig(answer)
  if (placed === undefined) throw new Error('the answer has no TSIG record')
  const { error, other, mac, timeSeconds } = placed.record
  const check = checkTsig(answer, placed, accessOf([key]).findKey, nowSeconds, requestMac)
  return { error, other: other.toString('hex'), macBytes: mac.length, timeSeconds, is: check.kind }
}

describe('RFC 8945 §5.2 and §5.3: a known key', () => {
  it.each(TSIG_ALGORITHMS)(
    'verifies a query that dig signed with %s, and signs the answer',
    (algorithm) => {
      const known = keyNamed('Transfer.KEY', algorithm)
      const asked = Buffer.from(OF_DIG[algorithm], 'hex')
      const answer = sendingTo([zone], accessOf([known]), NOW)(asked)
      expect(read(answer)).toMatchObject({
        rcode: 'NOERROR',
        answer: ['alice.home.test 60 A 192.0.2.1'],
      })
      const placed = findTsig(answer)
      const requestMac = findTsig(asked)?.record.mac
      expect(placed && checkTsig(answer, placed, () => known, NOW, requestMac)).toMatchObject({
        kind: 'valid',
      })
      expect(placed?.record.originalId).toBe(asked.readUInt16BE(0))
    },
  )

  it('signs errors, too', () => {
    for (const [name, type, rcode] of [
      ['nobody.home.test', 'A', 'NXDOMAIN'],
      ['example', 'A', 'REFUSED'],
      ['home.test', 'AXFR', 'REFUSED'],
    ] as const) {
      const { octets, mac } = signedRequest(key, request(name, type), NOW)
      const answer = sendingTo([zone], accessOf([key]), NOW)(octets)
      expect([read(answer).rcode, signatureOf(answer, mac).is]).toEqual([rcode, 'valid'])
    }
  })

  it('uses the original ID if a forwarder changed it', () => {
    const { octets, mac } = signedRequest(key, request('alice.home.test'), NOW)
    octets.writeUInt16BE(0x9999, 0)
    const answer = sendingTo([zone], accessOf([key]), NOW)(octets)
    expect([read(answer).id, signatureOf(answer, mac).is]).toEqual([0x9999, 'valid'])
  })

  it('§5.3: sends TC with the question where the signature leaves no room', () => {
    const { octets, mac } = signedRequest(key, request('many.home.test'), NOW)
    const send = sendingTo([zone], accessOf([key]), NOW)
    const answer = send(octets)
    expect(read(answer)).toMatchObject({
      rcode: 'NOERROR',
      flags: 'qr aa tc',
      answer: [],
      questions: 1,
    })
    expect(signatureOf(answer, mac).is).toBe('valid')
    expect(read(send(octets, 'tcp')).answer).toHaveLength(29)
  })

  it('with another algorithm is another key: BADKEY', () => {
    const { octets } = signedRequest(
      keyNamed('transfer.key', 'hmac-sha512'),
      request('alice.home.test'),
      NOW,
    )
    const answer = sendingTo([zone], accessOf([key]), NOW)(octets)
    expect([read(answer).rcode, findTsig(answer)?.record.error]).toEqual(['NOTAUTH', 17])
  })
})

describe('RFC 8945 §5.2.2: a wrong MAC', () => {
  const send = sendingTo([zone], accessOf([key]), NOW)
  const { octets, mac } = signedRequest(key, request('alice.home.test'), NOW)

  it.each([
    ['in the question', 14],
    ['in the MAC', octets.length - 7],
    ['in the time', octets.length - 43],
  ])('by one bit %s is BADSIG, without a signature', (_where, at) => {
    const changed = Buffer.from(octets)
    changed[at] = (changed[at] ?? 0) ^ 1
    const answer = send(changed)
    expect([read(answer).rcode, read(answer).answer]).toEqual(['NOTAUTH', []])
    expect(signatureOf(answer, mac)).toMatchObject({ error: 16, macBytes: 0 })
  })

  it('from another secret is BADSIG', () => {
    const other = { ...key, secret: Buffer.alloc(32, 1) }
    const answer = send(signedRequest(other, request('alice.home.test'), NOW).octets)
    expect(signatureOf(answer, mac)).toMatchObject({ error: 16, macBytes: 0 })
  })

  it('counts against the limit of errors, over UDP', () => {
    const access = accessOf([key])
    const zones = zonesOf(zone)
    const clients: string[] = []
    const limiter = { limit: (client: string) => (clients.push(client) > 1 ? 0 : 512) }
    const respond = createSignedResponder({
      respond: createResponder(zones, SILENT_EVENTS, { limiter }),
      access: () => access,
      zones,
      events: SILENT_EVENTS,
      limiter,
    })
    const wrong = Buffer.from(octets)
    wrong.fill(0xee, wrong.length - 16, wrong.length - 6)
    expect(read(respond(wrong, 'udp', '192.0.2.1') ?? wrong).rcode).toBe('NOTAUTH')
    expect(respond(wrong, 'udp', '192.0.2.2')).toBeUndefined()
    expect(respond(wrong, 'tcp', '192.0.2.3')).toBeDefined()
    expect(clients).toEqual(['192.0.2.1', '192.0.2.2'])
  })

  /** The same request with the MAC shortened or lengthened. */
  const withMac = (bytes: number) => {
    const placed = findTsig(octets)
    if (placed === undefined) throw new Error('it has no TSIG record')
    const { record } = placed
    const resized = Buffer.concat([record.mac, Buffer.alloc(64)]).subarray(0, bytes)
    return withRecord(request('alice.home.test'), tsigOctets({ ...record, mac: resized }))
  }

  it.each([16, 31])('§5.2.4: cut to %i octets is BADTRUNC, signed in full', (bytes) => {
    const answer = send(withMac(bytes))
    expect(read(answer)).toMatchObject({ rcode: 'NOTAUTH', answer: [] })
    expect(signatureOf(answer, withMacOf(bytes))).toMatchObject({
      error: 22,
      macBytes: 32,
      is: 'valid',
    })
  })
  const withMacOf = (bytes: number) => mac.subarray(0, bytes)

  it.each([0, 9, 15, 33])('§5.2.2.1: of %i octets is FORMERR', (bytes) => {
    expect(read(send(withMac(bytes))).rcode).toBe('FORMERR')
  })
})

describe('RFC 8945 §5.2.3: time', () => {
  it.each([-300, 300])('a difference of %i s is accepted', (apart) => {
    const { octets } = signedRequest(key, request('alice.home.test'), NOW + apart)
    expect(read(sendingTo([zone], accessOf([key]), NOW)(octets)).rcode).toBe('NOERROR')
  })

  it.each([-301, 301])('a difference of %i s is BADTIME, signed, with both times', (apart) => {
    const { octets, mac } = signedRequest(key, request('alice.home.test'), NOW + apart)
    const answer = sendingTo([zone], accessOf([key]), NOW)(octets)
    expect(read(answer)).toMatchObject({ rcode: 'NOTAUTH', answer: [] })
    expect(signatureOf(answer, mac, NOW + apart)).toEqual({
      error: 18,
      other: NOW.toString(16).padStart(12, '0'),
      macBytes: 32,
      timeSeconds: NOW + apart,
      is: 'valid',
    })
  })
})

describe('RFC 8945 §5.3.1: messages of one answer', () => {
  it('each contain the MAC of the previous one, so that none can be left out', () => {
    const { mac } = signedRequest(key, request('home.test'), NOW)
    const messages = [1, 2, 3].map((id) => requestOctets('home.test', 'SOA', { id }))
    const signAll = (some: readonly Buffer[]) => {
      const signer = new TsigSigner(key, mac)
      return some.map((one) => signer.sign(one, NOW).toString('hex'))
    }
    const whole = signAll(messages)
    expect(new Set(whole).size).toBe(3)
    expect(signAll([messages[0], messages[2]].filter((one) => one !== undefined))[1]).not.toBe(
      whole[2],
    )
  })
})

describe('RFC 8945 with other implementations', () => {
  const run = promisify(execFile)

  it.each(
    (['dig', 'kdig'] as const).flatMap((program) =>
      TSIG_ALGORITHMS.map((algorithm) => [program, algorithm] as const),
    ),
  )('%s with %s accepts the answer, and no wrong key', needs('dig'), async (program, algorithm) => {
    const access = accessOf([keyNamed('transfer.key', algorithm)])
    const zones = zonesOf(zone)
    const respond = createSignedResponder({
      respond: createResponder(zones, SILENT_EVENTS),
      access: () => access,
      zones,
      events: SILENT_EVENTS,
    })
    const server = await serve([zone], { respond })
    const at = ['@127.0.0.1', '-p', String(server.port), '+norecurse', 'alice.home.test', 'A', '-y']
    const ask = async (secret: Buffer) => {
      const words = [...at, `${algorithm}:transfer.key:${secret.toString('base64')}`]
      return run(program, words).then(
        ({ stdout, stderr }) => stdout + stderr,
        ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
      )
    }
    try {
      const answer = await ask(SECRET)
      expect(answer).toContain('192.0.2.1')
      expect(answer).toMatch(/status: NOERROR/)
      expect(answer).not.toMatch(/warn|error:|could not|fail/i)
      expect(await ask(Buffer.alloc(32, 1))).toMatch(/BADSIG/)
    } finally {
      await server.close()
    }
  })
})
