import { describe, expect, test } from 'vitest'
import type { BlockedTargetScope } from '@homing/openapi/vocabulary'
import { covers, parseBlockedPlace } from './blocked-target.ts'

const blocks = (target: string, scope: BlockedTargetScope, url: string) =>
  covers(parseBlockedPlace(target, scope), new URL(url))

describe('the stored form', () => {
  test.each([
    ['evil.example', 'host', 'evil.example', ''],
    ['  HTTP://EVIL.example.:8080/login?x#y ', 'host', 'evil.example', ''],
    ['bücher.example', 'subdomains', 'xn--bcher-kva.example', ''],
    ['BÜCHER.example', 'host', 'xn--bcher-kva.example', ''],
    ['ｅｖｉｌ.example', 'host', 'evil.example', ''],
    ['https://[2001:DB8::0:1]:8443/', 'host', '2001:db8::1', ''],
    ['0x7f.1', 'host', '127.0.0.1', ''],
    ['evil.example//a/%7Eb/', 'path', 'evil.example', '/a/~b'],
  ] as const)('%j in scope %s', (target, scope, host, path) => {
    expect(parseBlockedPlace(target, scope)).toEqual({ host, scope, path })
  })

  test.each([
    ['', 'host', 'target is not a host'],
    ['ftp://evil.example', 'host', 'target is not a host'],
    ['*.evil.example', 'subdomains', 'target is not a host'],
    ['javascript:alert(1)', 'host', 'target is not a host'],
    ['com', 'subdomains', 'com is a top-level domain'],
    ['203.0.113.7', 'subdomains', '203.0.113.7 is an address'],
    ['https://evil.example/?login', 'path', 'target has no path'],
    [`evil.example/${'x'.repeat(1_000)}`, 'path', 'The path of target is too long'],
  ] as const)('%j in scope %s is refused', (target, scope, message) => {
    expect(() => parseBlockedPlace(target, scope)).toThrow(message)
  })
})

describe('what is covered', () => {
  test.each([
    ['evil.example', 'host', 'http://evil.example:8080/a?b'],
    ['evil.example', 'host', 'https://EVIL.example./'],
    ['evil.example', 'subdomains', 'https://evil.example/'],
    ['evil.example', 'subdomains', 'https://a.b.evil.example/'],
    ['evil.example/a', 'path', 'http://evil.example/a'],
    ['evil.example/a', 'path', 'https://evil.example:8443//%61/b?c'],
  ] as const)('%s in scope %s covers %s', (target, scope, url) => {
    expect(blocks(target, scope, url)).toBe(true)
  })

  test.each([
    ['evil.example', 'host', 'https://www.evil.example/'],
    ['www.evil.example', 'host', 'https://evil.example/'],
    ['evil.example', 'subdomains', 'https://notevil.example/'],
    ['evil.example', 'subdomains', 'https://evil.example.org/'],
    ['evil.example/a', 'path', 'https://evil.example/ab'],
    ['evil.example/a', 'path', 'https://evil.example/A'],
    ['evil.example/a', 'path', 'https://evil.example/'],
    ['evil.example/a', 'path', 'https://www.evil.example/a'],
  ] as const)('%s in scope %s does not cover %s', (target, scope, url) => {
    expect(blocks(target, scope, url)).toBe(false)
  })
})
