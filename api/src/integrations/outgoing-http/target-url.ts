/** Decides which URLs a profile accepts, before any look-up. */
import { portOf } from './connection.ts'
import { OutgoingFailure } from './outgoing-failure.ts'
import type { Profile } from './profiles.ts'

/** A normalized host name. */
const plainName = (hostname: string) => hostname.toLowerCase().replace(/\.$/, '')

/**
 * Parses the URL of a request.
 *
 * @param ownNames host names of this service; empty where it may call itself
 * @throws OutgoingFailure
 */
export function readTarget(text: string, profile: Profile, ownNames: readonly string[]): URL {
  const url = URL.parse(text)
  if (url === null) {
    throw new OutgoingFailure(
      'invalid-url',
      'This is not a valid URL. Expected an absolute URL such as https://example.net/path.',
    )
  }
  if (!profile.schemes.includes(url.protocol)) {
    const schemes = profile.schemes.map((scheme) => `${scheme}//`).join(' or ')
    throw new OutgoingFailure('scheme-not-allowed', `The URL must begin with ${schemes}.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutgoingFailure('invalid-url', 'The URL must not contain a username or password.')
  }
  requirePort(portOf(url), profile)
  if (ownNames.some((own) => plainName(own) === plainName(url.hostname))) {
    throw new OutgoingFailure('own-address', 'The URL leads to this service itself.')
  }
  return url
}

/** @throws OutgoingFailure `port-not-allowed` */
export function requirePort(port: number, profile: Profile): void {
  if (profile.takesPort(port)) return
  throw new OutgoingFailure('port-not-allowed', 'The port is not allowed.')
}
