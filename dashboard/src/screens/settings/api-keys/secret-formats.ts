/** A new key in the formats that programs take. */
import type { KeyScope } from '../../../api/api-keys.ts'

export type SecretFormat = 'raw' | 'env' | 'curl' | 'ddclient'

export const SECRET_FORMATS: readonly (readonly [SecretFormat, string])[] = [
  ['raw', 'Key'],
  ['env', '.env'],
  ['curl', 'curl'],
  ['ddclient', 'ddclient'],
]

interface SecretUse {
  readonly secret: string
  readonly scope: KeyScope
  /** Of the service. */
  readonly origin: string
}

/** In a place where the user enters their own domain. */
const ANY_DOMAIN = 'home.example.net'

/** The first domain of the scope that is not a pattern; undefined if all are patterns, or the scope is not limited. */
export const firstDomain = ({ domains }: KeyScope): string | undefined =>
  domains?.find((domain) => !domain.includes('*'))

/** The same, or a placeholder. */
export const domainIn = (scope: KeyScope): string => firstDomain(scope) ?? ANY_DOMAIN

function curlCall({ secret, scope, origin }: SecretUse): string {
  const mayUpdate = scope.actions?.includes('update') ?? true
  const path = mayUpdate ? `/nic/update?hostname=${domainIn(scope)}` : '/api/domains'
  return `curl -H "Authorization: Bearer ${secret}" "${origin}${path}"`
}

function ddclientFile({ secret, scope, origin }: SecretUse): string {
  const { host, protocol } = new URL(origin)
  return [
    'protocol=dyndns2',
    `use=web, web=${origin}/checkip`,
    `server=${host}`,
    `ssl=${protocol === 'https:' ? 'yes' : 'no'}`,
    `login=${domainIn(scope)}`,
    `password='${secret}'`,
    domainIn(scope),
  ].join('\n')
}

/** The text to copy. */
export function secretIn(format: SecretFormat, use: SecretUse): string {
  if (format === 'raw') return use.secret
  if (format === 'env') return `HOMING_URL=${use.origin}\nHOMING_API_KEY=${use.secret}`
  return format === 'curl' ? curlCall(use) : ddclientFile(use)
}

/** The same length as a real secret would reveal nothing; a short mask keeps the lines readable. */
export const masked = (prefix: string): string => `${prefix}${'•'.repeat(12)}`
