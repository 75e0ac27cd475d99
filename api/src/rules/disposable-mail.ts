/** Providers of addresses that are thrown away: who registers with one cannot be reached about the account. */
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { invalid } from './errors.ts'

const PROVIDERS = disposableEmailBlocklistSet()

/** Whether an address is at such a provider, or at a domain below its own. */
export function isDisposableAddress(address: string): boolean {
  const labels = address
    .slice(address.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')
  return labels.some((_label, n) => PROVIDERS.has(labels.slice(n).join('.')))
}

/** @throws Refusal `validation-failed` for an address of such a provider, on the field `email` */
export function requireLastingAddress(email: string): void {
  if (!isDisposableAddress(email)) return
  const message =
    'Addresses of this provider are disposable. Please use a permanent e-mail address.'
  throw invalid({ field: 'email', message })
}
