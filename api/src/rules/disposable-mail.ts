/**
 * Providers of disposable email addresses. A user with such an address cannot be reached about the account.
 */
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { invalid } from './errors.ts'

const PROVIDERS = disposableEmailBlocklistSet()

/** Whether an address belongs to such a provider, or to a subdomain of its domain. */
export function isDisposableAddress(address: string): boolean {
  const labels = address
    .slice(address.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')
  return labels.some((_label, n) => PROVIDERS.has(labels.slice(n).join('.')))
}

/** @throws Refusal `validation-failed` on the field `email` for a disposable address */
export function requireLastingAddress(email: string): void {
  if (!isDisposableAddress(email)) return
  const message = 'Addresses of this provider are disposable. Please use a permanent email address.'
  throw invalid({ field: 'email', message })
}
