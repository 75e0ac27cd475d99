/** One form for the names that users type: upper case, a final dot and Unicode make no difference. */
import { domainToASCII } from 'node:url'

/** A name in the form in which the API returns it. */
export function canonicalName(typed: string): string {
  const name = typed.toLowerCase().replace(/\.$/, '')
  return /\P{ASCII}/u.test(name) ? domainToASCII(name) || name : name
}
