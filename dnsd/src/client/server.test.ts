import { describe, expect, it } from 'vitest'
import { serverFromText, serverToText } from './server.ts'

describe('serverFromText', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1', 53],
    ['192.0.2.1:8053', '192.0.2.1', 8053],
    ['2001:db8::1', '2001:db8::1', 53],
    ['[2001:db8::1]', '2001:db8::1', 53],
    ['[2001:db8::1]:8053', '2001:db8::1', 8053],
  ])('%s', (text, address, port) => {
    expect(serverFromText(text)).toEqual({ address, port })
    expect(serverFromText(serverToText({ address, port }))).toEqual({ address, port })
  })

  it.each([
    '',
    'here',
    'here:53',
    '192.0.2.1:',
    '192.0.2.1:0',
    '192.0.2.1:65536',
    '192.0.2:53',
    '[::1',
  ])('%j is not an address', (text) => {
    expect(() => serverFromText(text)).toThrow(/is not the address of a name server: expected/)
  })
})
