import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FetchRefused, guardedFetch } from './guarded-fetch.ts'

let server: Server
let origin: string
let asked: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(`${request.headers.host} ${path}`)
    if (path === '/never') return undefined
    if (path === '/large') return response.end('x'.repeat(300 * 1024))
    if (path === '/cut') return response.socket?.destroy()
    if (path.startsWith('/to/')) {
      response.writeHead(302, { location: decodeURIComponent(path.slice('/to/'.length)) })
      return response.end()
    }
    return response.end('{}')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  origin = `http://issuer.example:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => (asked = []))

const local = async () => [{ address: '127.0.0.1' }]
const open = guardedFetch({ allowsPrivate: true, resolveAll: local })
const guarded = (...addresses: string[]) =>
  guardedFetch({
    allowsPrivate: false,
    resolveAll: async () => addresses.map((address) => ({ address })),
  })

describe('what is refused before anything is sent', () => {
  test.each([
    'http://issuer.example/',
    'ftp://issuer.example/',
    'file:///etc/passwd',
    'gopher://issuer.example/',
    'https://issuer.example:5432/',
    'https://good@issuer.example/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fd00::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://localhost./',
    'https:///',
    'nothing',
    '',
  ])('%s', async (url) => {
    const asIs = guardedFetch({ allowsPrivate: false })
    await expect(asIs(url)).rejects.toThrow(FetchRefused)
  })

  test.each([
    [['127.0.0.1']],
    [['192.0.2.1', '10.0.0.1']],
    [['9.9.9.9', '127.0.0.1']],
    [['9.9.9.9', '::1']],
    [['fe80::1%eth0']],
    [[]],
  ])('a name that leads to %j', async (addresses) => {
    const fetching = guarded(...addresses)('https://issuer.example/')
    await expect(fetching).rejects.toThrow(FetchRefused)
    // Whoever asks must not learn what a name means inside.
    await expect(fetching).rejects.toThrow(/^[^\d:]+$/)
  })
})

test('the connection goes to the address that was checked, under the name that was asked', async () => {
  expect(await open(`${origin}/keys`)).toEqual({ status: 200, text: '{}' })
  expect(asked).toEqual([`${new URL(origin).host} /keys`])
})

test('redirects are followed three times, and each goes through the same door', async () => {
  const through = (count: number) => {
    let url = '/end'
    for (let n = 0; n < count; n += 1) url = `/to/${encodeURIComponent(url)}`
    return open(origin + url)
  }
  expect((await through(3)).status).toBe(200)
  await expect(through(4)).rejects.toThrow('redirects too often')
  const away = encodeURIComponent('ftp://issuer.example/')
  await expect(open(`${origin}/to/${away}`)).rejects.toThrow('does not begin with https://')
})

test('nothing is waited for beyond the time limit: no name, and no answer', async () => {
  const never = async () => new Promise<never>(() => undefined)
  const limits = { allowsPrivate: true, timeLimitMs: 50 }
  const unnamed = guardedFetch({ ...limits, resolveAll: never })
  await expect(unnamed(`${origin}/keys`)).rejects.toThrow('cannot be reached')
  const silent = guardedFetch({ ...limits, resolveAll: local })
  await expect(silent(`${origin}/never`)).rejects.toThrow('cannot be reached')
})

test('an answer that is too large, or breaks off, is none', async () => {
  await expect(open(`${origin}/large`)).rejects.toThrow('too large')
  await expect(open(`${origin}/cut`)).rejects.toThrow('cannot be reached')
})
