import { describe, expect, it } from 'vitest'
import { copyRow as row, HEADER, int32, TRAILER } from './test-support.ts'
import { CopyFormatError, CopyRows, readRow, type RecordRow } from './copy-rows.ts'

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

/** The rows that a piece completes. */
function pushed(rows: CopyRows, piece: Buffer): RecordRow[] {
  rows.push(piece)
  const read: RecordRow[] = []
  for (let at = rows.next(); at >= 0; at = rows.next()) read.push(readRow(rows.octets, at))
  return read
}

describe('CopyRows', () => {
  it.each([1, 2, 3, 7, 50, 1_000])('returns the same rows in pieces of %i octets', (size) => {
    const rows = new CopyRows()
    const read: RecordRow[] = []
    for (let at = 0; at < stream.length; at += size) {
      expect(rows.isOver).toBe(false)
      read.push(...pushed(rows, stream.subarray(at, at + size)))
    }
    expect(read).toEqual(expected)
    expect(rows.isOver).toBe(true)
  })

  it('skips an extension of the header', () => {
    const extended = Buffer.from(stream)
    extended.writeInt32BE(3, HEADER.length - 4)
    const rows = new CopyRows()
    const pieces = [
      extended.subarray(0, HEADER.length),
      Buffer.from('ext'),
      stream.subarray(HEADER.length),
    ]
    expect(pushed(rows, Buffer.concat(pieces))).toEqual(expected)
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
    expect(() => pushed(new CopyRows(), octets)).toThrow(CopyFormatError)
    expect(() => pushed(new CopyRows(), octets)).toThrow(message)
  })
})
