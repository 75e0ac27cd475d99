/** The contents of a server's certificate, in a form that may be stored and shown. */
import type { X509Certificate } from 'node:crypto'

const TEXT_LIMIT_CHARACTERS = 256
const NAMES_LIMIT = 100

/**
 * The texts come from the server: they are limited in length and without control characters, but must be escaped where
 * they are shown.
 */
export interface CertificateFacts {
  /** Distinguished name on one line: `CN=example.net, O=Example`. */
  readonly subject: string
  readonly issuer: string
  readonly validFrom: Date
  readonly validTo: Date
  /** DNS names and IP addresses of the subjectAltName extension (RFC 5280 §4.2.1.6), the first 100. */
  readonly names: readonly string[]
  /** SHA-256 of the certificate: hexadecimal octets with colons. */
  readonly fingerprint256: string
  /** Whether the chain leads to a trusted authority, is valid now, and the certificate is for the host. */
  readonly isVerified: boolean
  /** Why not, as OpenSSL or Node.js names it, such as `CERT_HAS_EXPIRED`. */
  readonly verifyError?: string
}

const bounded = (text: string) => text.replaceAll(/\p{Cc}/gu, ' ').slice(0, TEXT_LIMIT_CHARACTERS)

/** Node.js puts each attribute on a line of its own. */
const oneLine = (distinguishedName: string | undefined) =>
  bounded((distinguishedName ?? '').split('\n').join(', '))

/** Entries of a subjectAltName as Node.js writes them; a value that could be read as several entries is a JSON string. */
const ALT_NAME = /(?:^|, )(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g

function altNames(text: string | undefined): string[] {
  const values = [...(text ?? '').matchAll(ALT_NAME)].slice(0, NAMES_LIMIT)
  return values.map(([, value = '']) =>
    bounded(value.startsWith('"') ? String(JSON.parse(value)) : value),
  )
}

/** @param verifyError why the certificate was not accepted; undefined when it was */
export function certificateFacts(
  certificate: X509Certificate,
  verifyError: string | undefined,
): CertificateFacts {
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    validFrom: certificate.validFromDate,
    validTo: certificate.validToDate,
    names: altNames(certificate.subjectAltName),
    fingerprint256: certificate.fingerprint256,
    isVerified: verifyError === undefined,
    ...(verifyError === undefined ? {} : { verifyError }),
  }
}
