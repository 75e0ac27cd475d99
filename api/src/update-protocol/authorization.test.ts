import { describe, expect, test } from 'vitest'
import { readClaim } from './authorization.ts'
import type { Parameters } from './parameters.ts'

const basic = (pair: string | Buffer) => `Basic ${Buffer.from(pair).toString('base64')}`
const password = (username: string, text: string) => ({
  kind: 'password',
  username,
  password: text,
})
const secret = (text: string) => ({ kind: 'secret', secret: text })
const credentialsOf = (header: string | undefined, parameters: Parameters = {}) =>
  readClaim(header, parameters).credentials

describe('the header', () => {
  test.each([
    [basic('ada:secret'), password('ada', 'secret')],
    [basic('ada@example.net:secret'), password('ada@example.net', 'secret')],
    [basic('ada:se:cr:et'), password('ada', 'se:cr:et')],
    [basic('ada:пароль'), password('ada', 'пароль')],
    // Latin-1, as older browsers and routers encode.
    [basic(Buffer.from('ada:geh\xe9im', 'latin1')), password('ada', 'gehéim')],
    ['basic YWRhOnNlY3JldA==', password('ada', 'secret')],
    ['BASIC   YWRhOnNlY3JldA==  ', password('ada', 'secret')],
    ['Basic YWRhOnNlY3JldA', password('ada', 'secret')],
    [basic('anybody:ak_abc'), secret('ak_abc')],
    [basic(':ak_abc'), secret('ak_abc')],
    [basic('none:ut_abc'), secret('ut_abc')],
    ['Bearer ak_abc', secret('ak_abc')],
    ['bearer ut_abc', secret('ut_abc')],
    ['Token ut_abc', secret('ut_abc')],
  ])('%s', (header, credentials) => {
    expect(credentialsOf(header)).toEqual(credentials)
  })

  test.each([
    undefined,
    '',
    'Basic',
    'Basic ',
    'Basic ====',
    'Basic not base64 at all',
    basic('no colon'),
    basic(':'),
    basic('ada:'),
    basic(':secret'),
    basic('ada:sec\0ret'),
    basic('a\0da:secret'),
    'Bearer abc',
    'Bearer ',
    'Token abc',
    'Digest username="ada"',
    'YWRhOnNlY3JldA==',
    `Basic ${'A'.repeat(3000)}`,
  ])('%j contains no credentials', (header) => {
    expect(credentialsOf(header)).toBeUndefined()
  })
})

describe('parameters', () => {
  test.each<[Parameters, object | undefined]>([
    [{ token: 'ut_abc' }, secret('ut_abc')],
    [{ key: 'ak_abc' }, secret('ak_abc')],
    [{ k: 'ut_abc' }, secret('ut_abc')],
    [{ pass: 'ut_abc', user: 'x' }, secret('ut_abc')],
    [{ password: 'ut_abc', username: 'x' }, secret('ut_abc')],
    [{ password: 'x', token: 'ut_abc' }, secret('ut_abc')],
    [{ token: ['', 'ut_abc'] }, secret('ut_abc')],
    // Account passwords are accepted in the header only.
    [{ username: 'ada', password: 'secret' }, undefined],
    [{ token: 'abc' }, undefined],
    [{ token: '' }, undefined],
    [{ hostname: 'ut_abc' }, undefined],
    [{}, undefined],
  ])('%j', (parameters, credentials) => {
    expect(credentialsOf(undefined, parameters)).toEqual(credentials)
  })

  test('a token takes precedence over a password, in any place', () => {
    const parameters = { token: 'ut_abc' }
    expect(credentialsOf(basic('none:none'), parameters)).toEqual(secret('ut_abc'))
    expect(credentialsOf(basic('none:ut_def'), parameters)).toEqual(secret('ut_def'))
    expect(credentialsOf(basic('ada:secret'), { password: 'other' })).toEqual(
      password('ada', 'secret'),
    )
  })
})

test('other facts for the owner', () => {
  expect(readClaim(undefined, { user: 'ada', password: 'secret' })).toEqual({
    credentials: undefined,
    username: 'ada',
    hasPasswordInUrl: true,
  })
  expect(readClaim(undefined, { token: 'mistyped' }).hasPasswordInUrl).toBe(false)
  expect(readClaim(basic('home.example.net:ut_abc'), { user: 'x' })).toMatchObject({
    username: 'home.example.net',
    hasPasswordInUrl: false,
  })
})
