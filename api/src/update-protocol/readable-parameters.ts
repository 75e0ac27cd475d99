/** The parameters of a call without secrets, for the owner of the name. */
import { mayHoldSecret, secretKindOf } from '../rules/secrets.ts'
import { type Parameters, SHOWN_PARAMETERS, USERNAME_PARAMETERS, valuesOf } from './parameters.ts'

const SAID_LIMIT_CHARACTERS = 300
const VALUE_LIMIT_CHARACTERS = 100
const LEFT_OUT = '…'

const OF_CALLER: ReadonlySet<string> = new Set(USERNAME_PARAMETERS)

/**
 * Text after a space is another URL, which can contain a password. Control characters can control
 * terminals.
 */
function shown(name: string, value: string): string {
  const isKnown = SHOWN_PARAMETERS.has(name) || /^myipv[46]:/.test(name)
  if (!isKnown) return LEFT_OUT
  const [first = '', ...more] = value.trim().split(/\s/, 2)
  const isSecret =
    mayHoldSecret(first) || first.split(',').some((text) => secretKindOf(text) !== undefined)
  // The user part of a URL can contain a password.
  if (isSecret || first.includes('://')) return LEFT_OUT
  const plain = first.replaceAll(/\p{C}/gu, LEFT_OUT).slice(0, VALUE_LIMIT_CHARACTERS)
  return more.length > 0 || plain.length < first.length ? `${plain}${LEFT_OUT}` : plain
}

function labelOf(name: string): string {
  if (SHOWN_PARAMETERS.has(name)) return name
  return /^[a-z0-9_.:-]{1,60}$/.test(name) && !mayHoldSecret(name) ? name : LEFT_OUT
}

/**
 * The parameters as one line: `hostname=home.example.net myip=192.0.2.1 token=…`.
 *
 * @param isOwners whether the caller is proven to be the owner who reads the line. A stranger may
 * have mistyped a name, and user names are often email addresses.
 */
export function readable(parameters: Parameters, isOwners: boolean): string {
  let line = ''
  for (const name of Object.keys(parameters)) {
    for (const value of valuesOf(parameters, name)) {
      const text = isOwners || !OF_CALLER.has(name) ? shown(name, value) : LEFT_OUT
      line += `${line === '' ? '' : ' '}${labelOf(name)}=${text}`
      if (line.length > SAID_LIMIT_CHARACTERS) {
        return `${line.slice(0, SAID_LIMIT_CHARACTERS)}${LEFT_OUT}`
      }
    }
  }
  return line
}
