import { expect, test } from 'vitest'
import { readAuthorization } from './authorization.ts'

const basic = (pair: string | Buffer) => `Basic ${Buffer.from(pair).toString('base64')}`
const password = (username: string, text: string) => ({
  kind: 'password',
  username,
  password: text,
})

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
  [basic('anybody:ak_abc'), { kind: 'secret', secret: 'ak_abc' }],
  [basic(':ak_abc'), { kind: 'secret', secret: 'ak_abc' }],
  ['Bearer ak_abc', { kind: 'secret', secret: 'ak_abc' }],
])('%s', (header, credentials) => {
  expect(readAuthorization(header)).toEqual(credentials)
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
  'Digest username="ada"',
  'YWRhOnNlY3JldA==',
  `Basic ${'A'.repeat(3000)}`,
])('%j holds no credentials', (header) => {
  expect(readAuthorization(header)).toBeUndefined()
})
