import { describe, expect, it } from 'vitest'
import { KeyedHash } from './keyed-hash.ts'

const hash = new KeyedHash(0x1234_5678, -1)

function of(text: string, words: [number, number, number] = [1, 2, 3], by = hash): string {
  const octets = Buffer.from(`##${text}##`, 'latin1')
  by.update(...words, octets, 2, octets.length - 2)
  return `${by.low} ${by.high}`
}

describe('KeyedHash', () => {
  it('is the same only for the same letters in any case', () => {
    expect(of('\u0005ALICE\u0004home')).toBe(of('\u0005alice\u0004HOME'))
    for (const [one, other] of [
      '[{',
      '@`',
      ']}',
      '\u0000 ',
      '\u00c1\u00e1',
      'a\u00e1',
      '1\u0011',
    ]) {
      expect(of(`abc${one}`)).not.toBe(of(`abc${other}`))
    }
  })

  it('differs for another word, length, order or key', () => {
    const names = [
      '',
      'a',
      'aa',
      'aaa',
      'aaaa',
      'aaaaa',
      'ab',
      'ba',
      '\0',
      '\0\0',
      'abcd\0',
      'abcd',
    ]
    const all = names.map((name) => of(name))
    const words = [of('a', [0, 2, 3]), of('a', [2, 1, 3]), of('a', [1, 3, 2]), of('a', [1, 2, 4])]
    const otherKey = of('a', [1, 2, 3], new KeyedHash(0x1234_5678, -2))
    expect(new Set([...all, ...words, otherKey]).size).toBe(names.length + 5)
  })

  it('distributes similar names over all of both halves', () => {
    const sets = new Set<number>()
    let ones = 0
    for (let name = 0; name < 4096; name++) {
      const [low, high] = of(`host${name}`).split(' ').map(Number)
      sets.add((low ?? 0) & 0xfff)
      for (let bit = 0; bit < 32; bit++) ones += ((high ?? 0) >>> bit) & 1
    }
    // 4096 random values in 4096 places fill 63 %, and half of all bits are set.
    expect(sets.size).toBeGreaterThan(2450)
    expect(Math.abs(ones / (4096 * 32) - 0.5)).toBeLessThan(0.01)
  })
})
