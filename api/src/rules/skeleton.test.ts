import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shapeOf, skeletonOf, skeletonsOf } from './skeleton.ts'

describe('look-alikes have the same skeleton', () => {
  test.each([
    ['paypal', 'paypa1', 'paypai', 'PayPal', 'p4yp4l', 'pay-pal', 'p.a.y.p.a.l', 'paaypall'],
    ['paypal', 'pаypаl', 'рауpal', 'páypàl', 'ｐａｙｐａｌ', '𝔭𝒶ỿ𝕡𝕒ℓ'],
    ['microsoft', 'rnicrosoft', 'micr0s0ft', 'mícrosoft', 'ʍicrosoft'],
    ['wellsfargo', 'vvellsfargo', 'we11sfarg0', 'wells-fargo', 'ωellsfargo'],
    ['dropbox', 'clropbox', 'dr0pb0x', 'ԁropbox'],
    ['icloud', 'ic1oud', 'icl0ud', 'lcloud', 'iclouci'],
    ['google', 'gooogle', 'g00gle', 'goog1e', 'qooqle', 'ɡоо9le'],
    ['netflix', 'netf1ix', 'n3tflix', 'NETFLIX', 'netfliх'],
    ['kraken', 'кrакen', 'krαken'],
    ['amazon', 'arnazon', 'ama2on', 'amazоn'],
    ['office365', '0ffice365', 'ofice365'],
  ])('%s', (word, ...others) => {
    for (const other of others)
      expect([other, skeletonOf(other)]).toEqual([other, skeletonOf(word)])
  })

  test.each([
    ['wise', 'vise'],
    ['apple', 'maple'],
    ['visa', 'visage'],
    ['chase', 'chaise'],
    ['home', 'horse'],
  ])('%s and %s do not look alike', (one, other) => {
    expect(skeletonOf(one)).not.toBe(skeletonOf(other))
  })

  test('characters other than letters and digits are removed', () => {
    expect(skeletonOf('-.*☃ ')).toBe('')
  })

  test('positions that came only from digits are marked', () => {
    expect(shapeOf('a4b11l')).toEqual({
      text: 'abi',
      isDigit: [false, false, false],
      isRepeated: [true, false, true],
    })
    expect(shapeOf('x247').isDigit).toEqual([false, true, true, true])
  })

  test('a letter that is replaced by two is repeated as both', () => {
    expect(shapeOf('amma')).toEqual(shapeOf('ammma'))
    expect(shapeOf('amma').isRepeated).toEqual([false, true, true, false])
    expect(shapeOf('ama').isRepeated).toEqual([false, false, false, false])
    expect([...skeletonsOf('comm')]).toEqual(['corn', 'cornrn'])
    expect([...skeletonsOf('paypal')]).toEqual(['paypai'])
  })
})

describe('for every text', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 80 })
  const label = fc.stringMatching(/^[a-z0-9-]{0,63}$/)

  test('a skeleton is its own skeleton', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, label), (text) => {
        const skeleton = skeletonOf(text)
        expect(skeletonOf(skeleton)).toBe(skeleton)
      }),
    )
  })

  test('case and hyphens are ignored', () => {
    fc.assert(
      fc.property(label, (text) => {
        expect(skeletonOf(text.toUpperCase())).toBe(skeletonOf(text))
        expect(skeletonOf(text.replaceAll('-', ''))).toBe(skeletonOf(text))
      }),
    )
  })

  test('the skeleton of a text contains the skeletons of its words', () => {
    fc.assert(
      fc.property(label, label, label, (before, word, after) => {
        expect(skeletonOf(before + word + after)).toContain(skeletonOf(word))
      }),
    )
  })

  test('it has at most two characters for one, and says of each whether it was a digit', () => {
    fc.assert(
      fc.property(label, (text) => {
        const shape = shapeOf(text)
        expect(shape.text.length).toBeLessThanOrEqual(text.length * 2)
        expect(shape.isDigit).toHaveLength(shape.text.length)
      }),
    )
  })
})
