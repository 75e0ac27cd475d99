/** Credentials as update clients send them: HTTP Basic (RFC 7617) or Bearer (RFC 6750). */
import { secretKindOf } from '../../domain/secrets.ts'
import type { Credentials } from './verify.ts'

/** Longer headers hold no credentials of ours. */
const HEADER_LIMIT_CHARACTERS = 2048

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Clients encode as they please: UTF-8 where it is, Latin-1 otherwise. */
function textOf(octets: Buffer): string {
  try {
    return utf8.decode(octets)
  } catch {
    return octets.toString('latin1')
  }
}

/**
 * Reads the header `Authorization`; undefined when it holds no credentials. A password
 * may hold colons, a user name none; an API key or update token is taken as the password of any user name.
 */
export function readAuthorization(header: string | undefined): Credentials | undefined {
  if (header === undefined || header.length > HEADER_LIMIT_CHARACTERS) return undefined
  const [, scheme = '', value = ''] = /^(basic|bearer) +([\x21-\x7e]+) *$/i.exec(header) ?? []
  if (scheme.toLowerCase() === 'bearer') {
    return secretKindOf(value) ? { kind: 'secret', secret: value } : undefined
  }
  const pair = textOf(Buffer.from(value, 'base64'))
  const colon = pair.indexOf(':')
  if (colon < 0 || pair.includes('\0')) return undefined
  const [username, password] = [pair.slice(0, colon), pair.slice(colon + 1)]
  if (secretKindOf(password)) return { kind: 'secret', secret: password }
  return username === '' || password === '' ? undefined : { kind: 'password', username, password }
}
