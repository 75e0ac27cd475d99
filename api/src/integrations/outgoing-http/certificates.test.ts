/** Valid and invalid TLS servers. */
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from 'node:net'
import { createSecureContext } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Credential,
  createTestAuthority,
  type TestAuthority,
} from '../../../../test/certificates.ts'
import { failureOf, testOutgoing } from '../../../test/support/outgoing.ts'

const servers: TcpServer[] = []
let authority: TestAuthority

async function listen(server: TcpServer): Promise<number> {
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return (server.address() as AddressInfo).port
}

/** A TLS server. @returns its port, and the names that clients sent (SNI) */
async function secured(credential: Credential) {
  const told: string[] = []
  const server: Server = createServer(
    {
      ...credential,
      SNICallback(name, use) {
        told.push(name)
        use(null, createSecureContext(credential))
      },
    },
    (_request, response) => response.end('secret'),
  )
  return { port: await listen(server), told }
}

beforeAll(async () => (authority = await createTestAuthority()))
afterAll(() => {
  for (const server of servers) server.close()
})

const outgoing = (trusted = [authority.cert]) =>
  testOutgoing({ resolveAll: async () => [{ address: '127.0.0.1' }], trusted })

test('the certificate is checked against the host name, on a connection to the checked address', async () => {
  const names = ['home.example.net', '*.wild.example.net', '127.0.0.1']
  const { port, told } = await secured(await authority.issue({ names, validToDays: 30 }))
  const response = await outgoing().target({ url: `https://home.example.net:${port}/` })
  expect([response.status, response.address, told]).toEqual([200, '127.0.0.1', [names[0]]])
  const { certificate } = response
  expect(certificate).toMatchObject({
    subject: 'CN=home.example.net',
    issuer: 'CN=Test Authority',
    names,
    isVerified: true,
  })
  expect(certificate?.validFrom.getTime()).toBeLessThan(Date.now())
  expect(certificate?.validTo.getTime()).toBeGreaterThan(Date.now())
  expect(certificate?.fingerprint256).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
  expect(Object.keys(response.phaseMs)).toEqual(['lookup', 'connect', 'tls', 'firstByte', 'body'])
})

test.each(['a.wild.example.net', 'HOME.example.net.', '127.0.0.1'])(
  '%s is covered',
  async (host) => {
    const names = ['home.example.net', '*.wild.example.net', '127.0.0.1']
    const { port } = await secured(await authority.issue({ names }))
    expect((await outgoing().target({ url: `https://${host}:${port}/` })).status).toBe(200)
  },
)

test('names from the certificate are reported separately, without control characters, and bounded', async () => {
  const strange = ['home.example.net', 'a, DNS:b.example.net', 'c\u001b[31m"', 'd'.repeat(300)]
  const { port } = await secured(await authority.issue({ names: strange }))
  const { certificate } = await outgoing().target({ url: `https://home.example.net:${port}/` })
  expect(certificate?.names).toEqual([...strange.slice(0, 2), 'c [31m"', 'd'.repeat(256)])
})

const name = 'home.example.net'
test.each([
  [
    'expired',
    { names: [name], validFromDays: -30, validToDays: -1 },
    'tls-expired',
    'CERT_HAS_EXPIRED',
  ],
  ['not valid yet', { names: [name], validFromDays: 2 }, 'tls-not-yet-valid', 'CERT_NOT_YET_VALID'],
  [
    'of another name',
    { names: ['other.example.net'] },
    'tls-name-mismatch',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ],
])('a certificate that is %s', async (_what, leaf, code, verifyError) => {
  const { port } = await secured(await authority.issue(leaf))
  const url = `https://${name}:${port}/`
  const failure = await failureOf(outgoing().target({ url }))
  expect(failure).toMatchObject({
    code,
    hop: { url, certificate: { names: leaf.names, isVerified: false, verifyError } },
  })
  expect(failure.message).toMatch(/^The certificate /)
  const accepted = await outgoing().target({ url, acceptsAnyCertificate: true })
  expect(accepted).toMatchObject({ status: 200, certificate: { isVerified: false, verifyError } })
})

test('a certificate of an untrusted authority', async () => {
  const { port } = await secured(await authority.issue({ names: [name] }))
  const other = await createTestAuthority('Another Authority')
  const url = `https://${name}:${port}/`
  for (const trusted of [[other.cert], undefined]) {
    const failure = await failureOf(
      testOutgoing({
        resolveAll: async () => [{ address: '127.0.0.1' }],
        ...(trusted && { trusted }),
      }).issuer(url),
    )
    expect(failure).toMatchObject({
      code: 'tls-untrusted',
      hop: { certificate: { isVerified: false } },
    })
  }
})

test('a self-signed certificate', async () => {
  const { selfSigned } = await createTestAuthority('home.example.net')
  const { port } = await secured(selfSigned)
  const failure = await failureOf(outgoing().target({ url: `https://${name}:${port}/` }))
  expect([failure.code, failure.message]).toEqual([
    'tls-untrusted',
    'The certificate is self-signed.',
  ])
})

test('nothing is sent over a connection with an invalid certificate', async () => {
  let requests = 0
  const credential = await authority.issue({ names: ['other.example.net'] })
  const port = await listen(createServer(credential, () => (requests += 1)))
  await failureOf(outgoing().target({ url: `https://${name}:${port}/`, method: 'POST', body: 'x' }))
  expect(requests).toBe(0)
})

test('a server that does not speak TLS, or ends the handshake', async () => {
  const plain = await listen(createHttpServer((_request, response) => response.end('no')))
  const rude = await listen(
    createTcpServer((socket) => socket.once('data', () => socket.destroy())),
  )
  const codes = []
  for (const port of [plain, rude]) {
    codes.push((await failureOf(outgoing().target({ url: `https://${name}:${port}/` }))).code)
  }
  expect(codes).toEqual(['tls-failed', 'connection-lost'])
})
