import { describe, expect, it } from 'vitest'
import { CopyFormatError, CopyRows, type RecordRow } from './copy-rows.ts'

const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])
const TRAILER = Buffer.from([0xff, 0xff])

function int32(value: number): Buffer {
  const octets = Buffer.alloc(4)
  octets.writeInt32BE(value)
  return octets
}

function field(value: Buffer | null): Buffer {
  return value === null ? int32(-1) : Buffer.concat([int32(value.length), value])
}

function array(texts: string[]): Buffer {
  const head = [1, 0, 25, texts.length, 1].map(int32)
  return Buffer.concat([...head, ...texts.map((text) => field(Buffer.from(text)))])
}

function row(owner: string, type: string | null, ttl = 0, rdata: string[] = []): Buffer {
  const fields = [
    Buffer.from(owner),
    type === null ? null : Buffer.from(type),
    type === null ? null : int32(ttl),
    type === null ? null : array(rdata),
  ]
  return Buffer.concat([Buffer.from([0, 4]), ...fields.map(field)])
}

const stream = Buffer.concat([
  HEADER,
  row('a.test', 'A', 60, ['192.0.2.1', '192.0.2.2']),
  row('empty.test', null),
  row('ünï.test', 'TXT', 2_147_483_647, ['"\\t,{}"']),
  TRAILER,
])
const expected: RecordRow[] = [
  { owner: 'a.test', set: { type: 'A', ttl: 60, rdata: ['192.0.2.1', '192.0.2.2'] } },
  { owner: 'empty.test', set: undefined },
  { owner: 'ünï.test', set: { type: 'TXT', ttl: 2_147_483_647, rdata: ['"\\t,{}"'] } },
]

describe('CopyRows', () => {
  it.each([1, 2, 3, 7, 50, 1_000])('gives the same rows in pieces of %i octets', (size) => {
    const rows = new CopyRows()
    const read: RecordRow[] = []
    for (let at = 0; at < stream.length; at += size) {
      expect(rows.isOver).toBe(false)
      read.push(...rows.push(stream.subarray(at, at + size)))
    }
    expect(read).toEqual(expected)
    expect(rows.isOver).toBe(true)
  })

  it('steps over an extension of the header', () => {
    const extended = Buffer.from(stream)
    extended.writeInt32BE(3, HEADER.length - 4)
    const rows = new CopyRows()
    const pieces = [
      extended.subarray(0, HEADER.length),
      Buffer.from('ext'),
      stream.subarray(HEADER.length),
    ]
    expect(rows.push(Buffer.concat(pieces))).toEqual(expected)
  })

  it.each([
    ['another signature', Buffer.from('PGCOPX\n\xff\r\n\0........', 'latin1'), /signature/],
    ['another number of fields', Buffer.concat([HEADER, Buffer.from([0, 3])]), /3 fields/],
    [
      'no owner',
      Buffer.concat([HEADER, Buffer.from([0, 4]), ...Array(4).fill(int32(-1))]),
      /owner/,
    ],
  ])('refuses %s', (_what, octets, message) => {
    expect(() => new CopyRows().push(octets)).toThrow(CopyFormatError)
    expect(() => new CopyRows().push(octets)).toThrow(message)
  })
})
