/**
 * PayPal's signatures of webhooks: RSA with SHA-256 over transmission id, time, webhook id and CRC-32 of the raw body:
 * https://developer.paypal.com/api/rest/webhooks/rest/. The certificate has an intermediate and a root that the
 * verifier is given, as PayPal's certificates have a public one.
 */
import 'reflect-metadata'
import { createSign, createVerify, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import * as x509 from '@peculiar/x509'
import type { Delivery } from '../deliveries.ts'

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
} as const
const YEAR_MS = 365 * 86_400_000
/** The subject of PayPal's real certificate for webhooks. */
const SUBJECT = 'messageverificationcerts.paypal.com'

export interface SigningKey {
  readonly privateKey: string
  readonly certificate: string
  /** What the certificate's address serves: the certificate, then its issuer. */
  readonly chain: string
  readonly root: string
}

const make = (algorithm: typeof EC | typeof RSA) =>
  crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

type Keys = Awaited<ReturnType<typeof make>>

async function issue(
  name: string,
  keys: Keys,
  by: { keys: Keys; name: string },
  isAuthority: boolean,
) {
  return x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: `CN=${by.name}`,
    publicKey: keys.publicKey,
    signingKey: by.keys.privateKey,
    signingAlgorithm: EC,
    notBefore: new Date(Date.now() - YEAR_MS),
    notAfter: new Date(Date.now() + YEAR_MS),
    extensions: [
      new x509.BasicConstraintsExtension(isAuthority, undefined, true),
      ...(isAuthority
        ? []
        : [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }])]),
    ],
  })
}

/** Makes a key with its certificate, intermediate and root. */
export async function makeSigningKey(subject = SUBJECT): Promise<SigningKey> {
  const [rootKeys, middleKeys, keys] = [await make(EC), await make(EC), await make(RSA)]
  const root = await issue(
    'Local PayPal Root',
    rootKeys,
    { keys: rootKeys, name: 'Local PayPal Root' },
    true,
  )
  const middle = await issue(
    'Local PayPal Intermediate',
    middleKeys,
    { keys: rootKeys, name: 'Local PayPal Root' },
    true,
  )
  const leaf = await issue(
    subject,
    keys,
    { keys: middleKeys, name: 'Local PayPal Intermediate' },
    false,
  )
  const der = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    privateKey: x509.PemConverter.encode(der, 'PRIVATE KEY'),
    certificate: leaf.toString('pem'),
    chain: `${leaf.toString('pem')}\n${middle.toString('pem')}\n`,
    root: root.toString('pem'),
  }
}

const message = (id: string, time: string, webhookId: string, body: string) =>
  `${id}|${time}|${webhookId}|${crc32(Buffer.from(body))}`

export interface Transmission {
  readonly body: string
  readonly certUrl: string
  readonly webhookId: string
  readonly key: SigningKey
  /** Milliseconds since 1970. */
  readonly at: number
}

export function signed({ body, certUrl, webhookId, key, at }: Transmission): Delivery {
  const [id, time] = [randomUUID(), `${new Date(at).toISOString().slice(0, 19)}Z`]
  const signature = createSign('RSA-SHA256')
    .update(message(id, time, webhookId, body))
    .sign(key.privateKey, 'base64')
  const headers = {
    'user-agent': 'PayPal/AUHD-214.0-58843210',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-auth-version': 'v2',
    'paypal-cert-url': certUrl,
    'paypal-transmission-id': id,
    'paypal-transmission-sig': signature,
    'paypal-transmission-time': time,
  }
  return { body, headers }
}

/** What `verify-webhook-signature` checks. The event is its raw text: PayPal signs bytes, not JSON. */
export function verifies(
  fields: Readonly<Record<string, unknown>>,
  rawEvent: string,
  key: SigningKey,
  certUrl: string,
  webhookId: string,
): boolean {
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? value : ''
  }
  if (
    text('cert_url') !== certUrl ||
    text('webhook_id') !== webhookId ||
    text('auth_algo') !== 'SHA256withRSA'
  )
    return false
  const signedText = message(
    text('transmission_id'),
    text('transmission_time'),
    webhookId,
    rawEvent,
  )
  return createVerify('RSA-SHA256')
    .update(signedText)
    .verify(key.certificate, text('transmission_sig'), 'base64')
}

/** The raw text of the member `webhook_event`, which must be the last of the body or be followed by other members. */
export function rawEventOf(body: string): string {
  const start = body.indexOf('{', body.indexOf('"webhook_event"') + 15)
  let depth = 0
  let inText = false
  for (let at = start; at >= 0 && at < body.length; at += 1) {
    const letter = body[at]
    if (inText) {
      if (letter === '\\') at += 1
      else if (letter === '"') inText = false
    } else if (letter === '"') inText = true
    else if (letter === '{') depth += 1
    else if (letter === '}' && --depth === 0) return body.slice(start, at + 1)
  }
  return ''
}
