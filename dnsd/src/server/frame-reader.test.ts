import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameReader } from './frame-reader.ts'

function framed(message: Uint8Array): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

/** Cuts the stream into pieces of these sizes, repeatedly. */
function pieces(stream: Buffer, sizes: readonly number[]): Buffer[] {
  const cut: Buffer[] = []
  for (let at = 0, turn = 0; at < stream.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    cut.push(stream.subarray(at, at + size))
    at += size
  }
  return cut
}

describe('FrameReader', () => {
  it('returns the messages of a stream in any pieces', () => {
    const messages = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 })
    const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(messages, sizes, (sent, cuts) => {
        const frames = new FrameReader()
        const taken: string[] = []
        for (const piece of pieces(Buffer.concat(sent.map(framed)), cuts)) {
          frames.push(piece)
          for (let one = frames.take(); one !== undefined; one = frames.take()) {
            taken.push(one.toString('hex'))
          }
        }
        expect(taken).toEqual(sent.map((one) => Buffer.from(one).toString('hex')))
        expect(frames.hasUnread).toBe(false)
      }),
      { seed: 7766, numRuns: 500 },
    )
  })

  it('returns nothing before the last octet of the largest message', () => {
    const stream = framed(Buffer.alloc(65_535, 7))
    const frames = new FrameReader()
    for (const octet of stream.subarray(0, -1)) {
      frames.push(Buffer.from([octet]))
      if (frames.take() !== undefined) break
    }
    expect([frames.hasUnread, frames.take()]).toEqual([true, undefined])
    frames.push(stream.subarray(-1))
    expect(frames.take()).toHaveLength(65_535)
  })

  it('keeps messages apart when several wait to be taken', () => {
    const frames = new FrameReader()
    frames.push(framed(Buffer.from('one')).subarray(0, 2))
    frames.push(Buffer.concat([Buffer.from('one'), framed(Buffer.from('two'))]))
    frames.push(framed(Buffer.from('three')))
    expect([frames.take(), frames.take(), frames.take(), frames.take()].map(String)).toEqual([
      'one',
      'two',
      'three',
      'undefined',
    ])
  })
})
