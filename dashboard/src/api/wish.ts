/**
 * The domain that a visitor looked up before they signed up. This browser remembers it until the first sign-in: the link
 * in the verification mail opens another tab, which does not have the storage of this one. The service is not told,
 * because the wish reserves nothing. It is forgotten when it was used, on logout, and after the time that an account may
 * stay unverified.
 */
import { forget, recall, remember } from './storage.ts'

const KEY = 'wished_domain'
const KEPT_MS = 7 * 86_400_000
const DOMAIN = /^(?=.{3,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/

interface Wish {
  readonly domain: string
  readonly at: number
}

function storedWish(): Partial<Wish> {
  try {
    return (JSON.parse(recall('local', KEY) ?? '{}') ?? {}) as Partial<Wish>
  } catch {
    return {}
  }
}

/** The domain that the query of the registration names: `domain=home.example.net`, or `domain=home&zone=example.net`. */
export function domainOf(query: string): string | undefined {
  const parameters = new URLSearchParams(query)
  const parts = [parameters.get('domain'), parameters.get('zone')]
  const domain = parts
    .filter((part) => part !== null)
    .map((part) => part.trim())
    .join('.')
    .toLowerCase()
  return DOMAIN.test(domain) ? domain : undefined
}

/** Remembers the domain in a query, if there is one. */
export function rememberWish(query: string): void {
  const domain = domainOf(query)
  if (domain !== undefined) remember('local', KEY, JSON.stringify({ domain, at: Date.now() }))
}

/** The remembered domain; undefined if nothing is remembered, or too long ago. */
export function wishedDomain(): string | undefined {
  const { domain, at } = storedWish()
  const isKept = typeof at === 'number' && Date.now() - at < KEPT_MS
  return isKept && typeof domain === 'string' && DOMAIN.test(domain) ? domain : undefined
}

export const forgetWish = (): void => forget('local', KEY)
