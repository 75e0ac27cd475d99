/**
 * Credentials as update clients send them: HTTP Basic (RFC 7617), Bearer (RFC 6750), the `Token`
 * scheme of some services, or a parameter in the URL, in its path or in a form.
 *
 * An update token or API key takes precedence over an account's password, wherever it is sent: some
 * devices always send a user name and a password beside the URL that contains the token. An
 * account's password is accepted in the header only, because URLs end up in logs.
 */
import { isUtf8 } from 'node:buffer'
import { secretKindOf } from '../rules/secrets.ts'
import {
  lastOf,
  type Parameters,
  PASSWORD_PARAMETERS,
  secretIn,
  USERNAME_PARAMETERS,
} from './parameters.ts'

/** The credentials in an update request. */
export type Credentials =
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  /** An API key or an update token; its prefix says which. */
  | { readonly kind: 'secret'; readonly secret: string }

/** What a request reveals about its caller. */
export interface Claim {
  readonly credentials: Credentials | undefined
  /** The user name that was sent, valid or not. */
  readonly username: string | undefined
  /** The URL or a form contained a password that is not a token or key. The password was not tried. */
  readonly hasPasswordInUrl: boolean
}

interface HeaderClaim {
  readonly credentials: Credentials | undefined
  readonly username?: string
}

const NONE: HeaderClaim = { credentials: undefined }
/** Longer headers cannot contain valid credentials. */
const HEADER_LIMIT_CHARACTERS = 2048

/** Clients use different encodings: valid UTF-8 is read as UTF-8, anything else as Latin-1. */
const textOf = (octets: Buffer) => octets.toString(isUtf8(octets) ? 'utf8' : 'latin1')

/**
 * A password can contain colons, a user name cannot. A token or key is accepted as the password of any user
 * name.
 */
function readBasic(value: string): HeaderClaim {
  const pair = textOf(Buffer.from(value, 'base64'))
  const colon = pair.indexOf(':')
  if (colon < 0 || pair.includes('\0')) return NONE
  const [username, password] = [pair.slice(0, colon), pair.slice(colon + 1)]
  if (secretKindOf(password)) return { credentials: { kind: 'secret', secret: password }, username }
  const isPassword = username !== '' && password !== ''
  return {
    credentials: isPassword ? { kind: 'password', username, password } : undefined,
    username,
  }
}

function readHeader(header: string | undefined): HeaderClaim {
  if (header === undefined || header.length > HEADER_LIMIT_CHARACTERS) return NONE
  const [, scheme = '', value = ''] = /^(basic|bearer|token) +([\x21-\x7e]+) *$/i.exec(header) ?? []
  if (scheme.toLowerCase() === 'basic') return readBasic(value)
  return secretKindOf(value) ? { credentials: { kind: 'secret', secret: value } } : NONE
}

/** Whether the URL or a form contains a password that is not a token or key. */
const hasPassword = (parameters: Parameters) =>
  PASSWORD_PARAMETERS.some((name) => {
    if (parameters[name] === undefined) return false
    const text = lastOf(parameters, name)
    return text !== '' && secretKindOf(text) === undefined
  })

/** Reads what a request reveals about its caller. @param header `Authorization`, unchanged */
export function readClaim(header: string | undefined, parameters: Parameters): Claim {
  const { credentials, username } = readHeader(header)
  const secret = credentials?.kind === 'secret' ? undefined : secretIn(parameters)
  return {
    credentials: secret === undefined ? credentials : { kind: 'secret', secret },
    username: username ?? USERNAME_PARAMETERS.map((name) => lastOf(parameters, name)).find(Boolean),
    hasPasswordInUrl: secret === undefined && hasPassword(parameters),
  }
}
