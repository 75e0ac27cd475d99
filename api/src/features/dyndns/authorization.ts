/** Credentials as update clients send them: HTTP Basic (RFC 7617) or Bearer (RFC 6750). */
import { isMeantAsApiKey } from '../../domain/api-keys.ts'

export type Credentials =
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'key'; readonly key: string }

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
 * may hold colons, a user name none; a key is taken as the password of any user name.
 */
export function readAuthorization(header: string | undefined): Credentials | undefined {
  if (header === undefined || header.length > HEADER_LIMIT_CHARACTERS) return undefined
  const [, scheme = '', value = ''] = /^(basic|bearer) +([\x21-\x7e]+) *$/i.exec(header) ?? []
  if (scheme.toLowerCase() === 'bearer') {
    return isMeantAsApiKey(value) ? { kind: 'key', key: value } : undefined
  }
  const pair = textOf(Buffer.from(value, 'base64'))
  const colon = pair.indexOf(':')
  if (colon < 0 || pair.includes('\0')) return undefined
  const [username, password] = [pair.slice(0, colon), pair.slice(colon + 1)]
  if (isMeantAsApiKey(password)) return { kind: 'key', key: password }
  return username === '' || password === '' ? undefined : { kind: 'password', username, password }
}
