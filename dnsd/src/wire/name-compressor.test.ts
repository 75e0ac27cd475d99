import { describe, expect, it } from 'vitest'
import { nameFromText } from '../names/index.ts'
import { NameCompressor } from './name-compressor.ts'

const name = (text: string) => nameFromText(text, Buffer.from([0]))

/** A message of zeros, a compressor for it, and its output in hexadecimal. */
function compressorFor(question?: Buffer) {
  const message = Buffer.alloc(0x1_0000)
  question?.copy(message, 12)
  const names = new NameCompressor(message, question, 12)
  const write = (one: Uint8Array, at: number) => message.toString('hex', at, names.write(one, at))
  return { names, write }
}

const A = '0161'
const B = '0162'
const TEST = '0474657374'

describe('NameCompressor', () => {
  it('writes a name in full that shares no suffix with an earlier one', () => {
    expect(compressorFor().write(name('a.test'), 12)).toBe(`${A}${TEST}00`)
  })

  it('points to the question, and into it', () => {
    const question = name('a.test')
    const { write } = compressorFor(question)
    expect(write(question, 100)).toBe('c00c')
    expect(write(name('A.TEST'), 102)).toBe('c00c')
    expect(write(name('test'), 104)).toBe('c00e')
    expect(write(name('b.test'), 106)).toBe(`${B}c00e`)
    expect(write(name('b.a.test'), 110)).toBe(`${B}c00c`)
  })

  it('points to earlier names, and to their ends', () => {
    const { write } = compressorFor()
    expect(write(name('a.b.test'), 100)).toBe(`${A}${B}${TEST}00`)
    expect(write(name('a.b.test'), 200)).toBe('c064')
    expect(write(name('b.test'), 202)).toBe('c066')
  })

  it('never writes a pointer for the root', () => {
    const root = Buffer.from([0])
    const { write } = compressorFor(root)
    expect([write(root, 100), write(Buffer.from([0]), 101)]).toEqual(['00', '00'])
  })

  it('does not treat a dot in a label as a separator', () => {
    const { write } = compressorFor(name('a.b'))
    expect(write(name('a\\.b'), 100)).toBe('03612e6200')
  })

  it('points up to 0x3fff and no further', () => {
    const { write } = compressorFor()
    write(name('a'), 0x3fff)
    write(name('b'), 0x4000)
    expect([write(name('a'), 0x5000), write(name('b'), 0x5002)]).toEqual(['ffff', `${B}00`])
  })

  it('forgets overwritten names, and keeps the rest', () => {
    const { names, write } = compressorFor(name('test'))
    write(name('a.test'), 100)
    write(name('b.test'), 200)
    names.rewind(200)
    expect(write(name('b.test'), 300)).toBe(`${B}c00c`)
    expect(write(name('a.test'), 400)).toBe('c064')
  })
})
