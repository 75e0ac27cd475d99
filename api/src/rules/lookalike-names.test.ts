import { parseHostName } from '@homing/dnsd/names'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shippedWords } from '../config/protected-words.ts'
import { LookalikeNames } from './lookalike-names.ts'
import { withProvider } from './provider-words.ts'
import { extended, parseWordList } from './word-list.ts'

const shipped = shippedWords()
const lookalikes = new LookalikeNames(shipped)
const rule = (name: string) => lookalikes.ruleBroken(parseHostName(name))

describe('names that impersonate', () => {
  test.each([
    [
      'contained',
      'paypal',
      'paypa1-login',
      'paypa1',
      'pay-pal',
      'my-paypal-account',
      'securepaypal24',
    ],
    ['contained', 'rnicrosoft365', 'micros0ft-online', 'yournetflix', 'vvells-fargo-login'],
    [
      'contained',
      'www.paypal',
      'paypal.home',
      'pay.pal',
      'xn--pypal-4ve',
      'pаypal',
      'bank0famerica',
    ],
    [
      'part',
      'ebay-cars',
      'the-3bay',
      'ebaylogin-cars',
      'dhl24-office',
      'gmail',
      'g00gle',
      'a0l-mail',
      'amaz0n',
    ],
    ['part', 'amazon.home', 'google-maps'],
    [
      'joined',
      'apple-login',
      'secureapple2',
      'apple-login-x7k',
      'x7k-login-chase',
      'login-my-chase',
    ],
    ['joined', 'chase-login.home', 'chase.verify', 'verify.chase', 'meta-verify', 'metaaccount'],
    ['joined', 'steam-support', 'stearn-support', 'bank-konto', 'cha-se-login-x', 'steam5upport'],
    ['alone', 'chase', 'cha5e', 'chase24', 'my-chase', 'vis4', 'c-h-a-s-e', 'home.chase', 'аррӏе'],
  ])('%s: %s and others', (expected, ...names) => {
    for (const name of names) expect([name, rule(name)]).toEqual([name, expected])
  })
})

describe('harmless names', () => {
  test.each([
    ['home', 'nas', 'router', 'my-router', 'office-nas', 'web', 'cam1', 'minecraft', 'mail-gw'],
    ['apple-pie', 'pineapple', 'grapple', 'appleton', 'apple-tree-farm'],
    ['chase-family', 'purchase', 'chasers', 'steeplechase'],
    ['visage', 'visalia', 'advisable', 'visa-photo-studio'],
    ['meta-data', 'metadata', 'metal', 'meta', 'metaphor'],
    [
      'lakebay',
      'the-bay',
      'metaccount',
      'openair',
      'backup-ups',
      'ups',
      'nzb',
      'nzbget',
      'live-web-cam',
    ],
    ['revolution', 'altruist', 'goggles', 'household', 'hausbank', 'demagogie', 'contacting'],
    ['steam', 'signal', 'hermes', 'gemini', 'kraken', 'phantom', 'proton', 'exodus', 'office'],
    [
      'gitlab',
      'nextcloud-login',
      'synology',
      'samsung-tv',
      'wordpress',
      'telegram-bot',
      'discord-bot',
    ],
    [
      'apple.home',
      'chase.family',
      'youtube.home',
      'login.home',
      'account',
      'support-desk',
      'secure24',
    ],
    ['münchen', 'straße', 'кракен', 'домик', '家', 'ñandú'],
    ['42', '4711', '365', '1', '2fa', '401', 'room-401', 'host401', '401.home'],
  ])('%s and others', (...names) => {
    for (const name of names) expect([name, rule(name)]).toEqual([name, undefined])
  })
})

const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  a: ['4', 'а', 'á'],
  b: ['8', '6'],
  d: ['cl', 'ԁ'],
  e: ['3', 'е', 'ë'],
  g: ['9', 'q'],
  i: ['1', 'l', 'і', 'ı'],
  l: ['1', 'i'],
  m: ['rn'],
  o: ['0', 'о', 'ö'],
  p: ['р'],
  s: ['5', 'ѕ'],
  t: ['7'],
  w: ['vv'],
  z: ['2'],
}

/** A word with some letters replaced by look-alikes, or repeated. */
const disguised = (word: string) =>
  fc
    .tuple(
      ...Array.from(word, (letter) =>
        fc.oneof(
          { weight: 3, arbitrary: fc.constant(letter) },
          { weight: 2, arbitrary: fc.constantFrom(letter, ...(SPELLINGS[letter] ?? [])) },
          // Two v are a w.
          { weight: 1, arbitrary: fc.constant(letter === 'v' ? letter : letter + letter) },
        ),
      ),
    )
    .map((letters) => letters.join(''))
    // A number is not a word.
    .filter((text) => !/^\d+$/.test(text))

describe('a protected word is found with any look-alikes', () => {
  const { words } = shipped
  const lure = fc.constantFrom(...words.lure)

  test.each([
    ['anywhere', fc.constantFrom(...words.anywhere), fc.stringMatching(/^[a-z]{1,8}$/)],
    ['part', fc.constantFrom(...words.part), fc.constantFrom('x-', 'home-')],
    ['alone', fc.constantFrom(...words.alone), fc.constantFrom('', '24-', 'my-', '7')],
  ])('%s', (_section, word, around) => {
    fc.assert(
      fc.property(word.chain(disguised), around, (text, before) => {
        expect(lookalikes.ruleBroken(before + text)).toBeDefined()
      }),
    )
  })

  test.each(['-', ''])('each with a lure, joined by %j', (by) => {
    const word = fc.constantFrom(...words.anywhere, ...words.part, ...words.alone, ...words.joined)
    fc.assert(
      fc.property(
        word.chain(disguised),
        lure.chain(disguised),
        fc.boolean(),
        (text, more, isFirst) => {
          const name = isFirst ? `${text}${by}${more}` : `${more}${by}${text}`
          expect(lookalikes.ruleBroken(name)).toBeDefined()
        },
      ),
    )
  })
})

test('the time grows linearly with the length of a name', () => {
  // A search starts at each position and is no longer than the longest word: texts that consist of words only are
  // the worst case.
  const worst = 'securelogin'.repeat(6).slice(0, 63)
  expect(rule(worst)).toBeUndefined()
  expect(rule(Array.from({ length: 32 }, () => 'a').join('-'))).toBeUndefined()
  expect(rule(`${'login-'.repeat(8)}chase`)).toBe('joined')
})

describe('the provider', () => {
  const own = new LookalikeNames(
    withProvider(shipped, 'Ada & Söhne', ['dyn.example.co.uk', 'home.net']),
  )

  test.each([
    ['ada-soehne', undefined],
    ['ada-sohne', 'alone'],
    ['adasöhne-login', 'joined'],
    ['dynexamplecouk', 'alone'],
    ['example-support', 'joined'],
    ['examp1e-support', 'joined'],
    ['example', undefined],
    ['home', undefined],
    ['home-login', 'joined'],
    ['home-net', 'alone'],
    ['dyn', undefined],
  ])('%s: %s', (name, expected) => {
    expect(own.ruleBroken(parseHostName(name))).toBe(expected)
  })
})

describe('an operator’s list', () => {
  const by = (text: string) => new LookalikeNames(extended(shipped, parseWordList(text)))

  test('adds words, removes them, and replaces the list', () => {
    const added = by('[part]\nhomebank # ours\n[lure]\ncodice')
    expect(added.ruleBroken('h0mebank')).toBe('part')
    expect(added.ruleBroken('chase-codice')).toBe('joined')
    expect(added.ruleBroken('paypal')).toBe('contained')
    const lifted = by('-paypal -chase')
    expect(lifted.ruleBroken('paypal-login')).toBeUndefined()
    expect(lifted.ruleBroken('visa')).toBe('alone')
    const whole = by('-* [alone] chase')
    expect(whole.ruleBroken('paypal')).toBeUndefined()
    expect(whole.ruleBroken('chase')).toBe('alone')
  })

  test('allows the provider’s own names', () => {
    const list = extended(shipped, parseWordList('-home'))
    const own = new LookalikeNames(withProvider(list, 'Homing', ['home.net']))
    expect(own.ruleBroken('home-login')).toBeUndefined()
    expect(own.ruleBroken('homing')).toBe('alone')
  })
})
