import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NameError } from '../../names/index.ts'
import { type Entry, readEntry, writeEntry } from './entry.ts'
import { checkHeader, fileHeader, framed, HEADER_BYTES, readEntries } from './file-format.ts'
import type { FileHandle } from './files.ts'
import { FormatError, OctetWriter } from './octets.ts'
import { wireName } from '../../names/test-support.ts'

const octets = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes))
const uint32 = fc.nat({ max: 0xffff_ffff })
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const text = fc.string({ maxLength: 40 })
const rrset = fc.record({
  type: fc.nat({ max: 0xffff }),
  ttlSeconds: uint32,
  rdata: fc.array(octets(300), { maxLength: 4 }),
})
const rrsets = fc.option(fc.array(rrset, { maxLength: 4 }))
const version = fc.record({ serial: uint64, feedId: text, token: text })
const soa = fc.record({
  mname: wireName(),
  rname: wireName(),
  refreshSeconds: uint32,
  retrySeconds: uint32,
  expireSeconds: uint32,
  minimumSeconds: uint32,
  ttlSeconds: uint32,
})
const zoneId = uint64.map(String)
const set = fc.record(
  {
    version,
    previousToken: text,
    soa,
    changes: fc.array(fc.record({ owner: wireName(), before: rrsets, rrsets }), { maxLength: 4 }),
  },
  { requiredKeys: ['version', 'previousToken', 'changes'] },
)
const states = fc.array(fc.record({ owner: wireName(), rrsets }), { maxLength: 4 })
const kind = <T extends Entry['kind']>(one: T) => fc.constant(one)
const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ kind: kind('zone'), zoneId, version, soa, apex: wireName(), names: uint32 }),
  fc.record({ kind: kind('names'), zoneId, octets: octets(300) }),
  fc.record({ kind: kind('states'), zoneId, states }),
  fc.record({ kind: kind('zone-end'), zoneId }),
  fc.record({ kind: kind('change-set'), zoneId, set }),
  fc.record({ kind: kind('zone-gone'), zoneId }),
  fc.record({ kind: kind('end'), logBytes: fc.nat() }),
)

function written(one: Entry): Buffer {
  const writer = new OctetWriter()
  writeEntry(writer, one)
  return writer.take()
}

function errorOf(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}

/** A file that can only be read, in pieces as small as those of a slow disk. */
function fileOf(contents: Buffer, mostAtOnce: number): FileHandle {
  const read = async (into: Buffer, at: number, length: number, position: number) => ({
    bytesRead: contents.copy(into, at, position, position + Math.min(length, mostAtOnce)),
  })
  return { read } as unknown as FileHandle
}

async function entriesOf(file: FileHandle): Promise<{ entries: Entry[]; damage: unknown }> {
  const entries: Entry[] = []
  const runs = readEntries(file)
  for (;;) {
    const next = await runs.next()
    if (next.done === true) return { entries, damage: next.value }
    // Octets of a run are valid until the next one is read.
    entries.push(...next.value.entries.map((one) => readEntry(written(one))))
  }
}

describe('entries', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(entry, (one) => {
        expect(readEntry(written(one))).toEqual(one)
      }),
    )
  })

  it('that are cut off or malformed are refused, and never read beyond their end', () => {
    fc.assert(
      fc.property(octets(200), (nonsense) => {
        const thrown = errorOf(() => readEntry(nonsense))
        const isOurs = thrown instanceof FormatError || thrown instanceof NameError
        expect(thrown === undefined || isOurs).toBe(true)
      }),
    )
    const whole = written({ kind: 'zone-end', zoneId: '5' })
    for (let end = 0; end < whole.length; end++) {
      expect(() => readEntry(whole.subarray(0, end))).toThrow(FormatError)
    }
    expect(() => readEntry(Buffer.concat([whole, Buffer.alloc(1)]))).toThrow(/longer/)
  })
})

describe('files', () => {
  it('return their entries for any pieces that the disk reads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 5 }),
        fc.integer({ min: 1, max: 100 }),
        async (all, piece) => {
          const contents = Buffer.concat([fileHeader('log', 3), ...all.map(framed)])
          expect(await entriesOf(fileOf(contents, piece))).toEqual({
            entries: all,
            damage: undefined,
          })
        },
      ),
      { numRuns: 50 },
    )
  })

  it('contain nothing of an entry that could not be written', () => {
    const tooLong = 'x'.repeat(256)
    const set = {
      version: { serial: 2n, feedId: 'feed', token: tooLong },
      previousToken: '',
      changes: [],
    }
    const before = framed({ kind: 'zone-end', zoneId: '5' })
    expect(() => framed({ kind: 'change-set', zoneId: '5', set })).toThrow(RangeError)
    expect(framed({ kind: 'zone-end', zoneId: '5' })).toEqual(before)
  })

  it('end at the first damage and report where', async () => {
    const one = framed({ kind: 'zone-end', zoneId: '5' })
    const contents = Buffer.concat([fileHeader('log', 3), one, one.subarray(0, -1)])
    expect(await entriesOf(fileOf(contents, 1_000))).toEqual({
      entries: [{ kind: 'zone-end', zoneId: '5' }],
      damage: { atBytes: HEADER_BYTES + one.length, reason: 'it ends early' },
    })
  })

  it.each([
    ['another kind', 'snapshot', 3, /damaged/],
    ['another generation', 'log', 4, /damaged/],
  ] as const)('a header of %s is refused', (_what, kindOfFile, generation, message) => {
    expect(() => checkHeader(fileHeader(kindOfFile, generation), 'log', 3)).toThrow(message)
  })

  it('a header that is short, foreign or of a later format is refused by name', () => {
    const header = fileHeader('log', 3)
    expect(() => checkHeader(header.subarray(0, 31), 'log', 3)).toThrow(/ends in the header/)
    expect(() => checkHeader(Buffer.alloc(HEADER_BYTES), 'log', 3)).toThrow(/not a file of dnsd/)
    header.writeUInt16BE(9, 8)
    expect(() => checkHeader(header, 'log', 3)).toThrow(/format 9, from a newer version/)
  })
})
