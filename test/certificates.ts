/** A certificate authority for tests. It issues valid certificates and each kind of invalid certificate. */
import 'reflect-metadata'
import type { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

/** ECDSA keys are generated in a millisecond. */
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000

/** A certificate and its key, as PEM. */
export interface Credential {
  readonly cert: string
  readonly key: string
}

export interface LeafOptions {
  /** The DNS names and IP addresses of the certificate. */
  readonly names: readonly string[]
  /** Days from now; negative ones are in the past. */
  readonly validFromDays?: number
  readonly validToDays?: number
}

export interface TestAuthority {
  /** Its own certificate, as PEM, which clients must trust. */
  readonly cert: string
  /** The same, for a server that uses it as its own certificate. */
  readonly selfSigned: Credential
  issue(options: LeafOptions): Promise<Credential>
}

type Keys = webcrypto.CryptoKeyPair

const makeKeys = async (): Promise<Keys> =>
  crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

async function credentialOf(cert: x509.X509Certificate, keys: Keys): Promise<Credential> {
  const der = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { cert: cert.toString('pem'), key: x509.PemConverter.encode(der, 'PRIVATE KEY') }
}

const subjectNames = (names: readonly string[]) =>
  new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
  )

/** Creates an authority with a new key. */
export async function createTestAuthority(name = 'Test Authority'): Promise<TestAuthority> {
  const keys = await makeKeys()
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    notBefore: inDays(-365),
    notAfter: inDays(365),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature,
        true,
      ),
    ],
  })
  return {
    cert: own.toString('pem'),
    selfSigned: await credentialOf(own, keys),
    async issue({ names, validFromDays = -1, validToDays = 30 }) {
      const leafKeys = await makeKeys()
      const leaf = await x509.X509CertificateGenerator.create({
        subject: `CN=${names[0] ?? 'nobody'}`,
        issuer: own.subject,
        publicKey: leafKeys.publicKey,
        signingKey: keys.privateKey,
        notBefore: inDays(validFromDays),
        notAfter: inDays(validToDays),
        signingAlgorithm: ALGORITHM,
        extensions: [subjectNames(names)],
      })
      return credentialOf(leaf, leafKeys)
    },
  }
}
