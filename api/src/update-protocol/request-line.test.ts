import { describe, expect, test } from 'vitest'
import { holdsTwoUrls, isUpdatePath, mendTarget, mendUrl } from './request-line.ts'

test.each([
  ['/nic/update', true],
  ['/nic/update/', true],
  ['/u/ut_abc', true],
  ['/update/home.homing.test/ut_abc/192.0.2.1', true],
  ['/update', true],
  ['/nic/checkip.html', true],
  ['/', false],
  ['', false],
  ['/users', false],
  ['/api/domains', false],
])('%j: %s', (path, isUpdate) => {
  expect(isUpdatePath(path)).toBe(isUpdate)
})

describe('URLs', () => {
  test.each([
    ['//nic/update?myip=192.0.2.1', '/nic/update?myip=192.0.2.1'],
    ['http://svc.test/nic/update?myip=192.0.2.1', '/nic/update?myip=192.0.2.1'],
    ['HTTPS://svc.test:8443/nic/update', '/nic/update'],
    ['/nic/update%20http:/svc.test/nic/update', '/nic/update'],
    ['/nic/update%20https://svc.test/nic/update?myip=192.0.2.1', '/nic/update?myip=192.0.2.1'],
    ['/nic/update+http://svc.test/nic/update', '/nic/update'],
    ['//u/ut_abc', '/u/ut_abc'],
    ['/nic/update?hostname=h\u00c3\u00b6me', '/nic/update?hostname=h%c3%b6me'],
  ])('%s means %s', (url, meant) => {
    expect(mendUrl(url)).toBe(meant)
  })

  test.each([
    '/nic/update?hostname=home.homing.test&myip=192.0.2.1',
    '/nic/update?myip=192.0.2.1%20http://svc.test/nic/update?myip=::1',
    '//evil.test/',
    '//api/domains',
    'http://svc.test/api/domains',
    '/api/domains%20http://x',
    '/',
    '',
    '*',
  ])('%j stays unchanged', (url) => {
    expect(mendUrl(url)).toBe(url)
  })

  test('two URLs in one are detected in any place', () => {
    expect(holdsTwoUrls('/nic/update%20http:/svc.test/nic/update')).toBe(true)
    expect(holdsTwoUrls('/nic/update?myip=192.0.2.1%20https%3A//svc.test/')).toBe(true)
    expect(holdsTwoUrls('http://svc.test/nic/update?myip=192.0.2.1')).toBe(false)
    expect(holdsTwoUrls('/nic/update?url=http://svc.test/')).toBe(false)
  })
})

describe('the text between the method and the version', () => {
  test.each([
    ['nic/update?myip=192.0.2.1', '/nic/update?myip=192.0.2.1'],
    ['u/ut_abc', '/u/ut_abc'],
    [
      '/nic/update?myip=192.0.2.1 http://svc.test/nic/update?myip=::1',
      '/nic/update?myip=192.0.2.1%20http://svc.test/nic/update?myip=::1',
    ],
    // As Node passes octets of UTF-8.
    ['/nic/update?hostname=h\u00c3\u00b6me', '/nic/update?hostname=h%c3%b6me'],
  ])('%j means %s', (target, url) => {
    expect(mendTarget(target)).toBe(url)
  })

  test.each(['/nic/update?myip=192.0.2.1', 'api/domains', '/api/domains x', '*', 'nic'])(
    '%j is not repaired',
    (target) => {
      expect(mendTarget(target)).toBeUndefined()
    },
  )
})
