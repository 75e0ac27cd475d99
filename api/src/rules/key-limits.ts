/** Reads the limits of a key, when it is made or changed: from the user's input to the stored form. */
import { NameError, parseHostName } from '@homing/dnsd/names'
import ipaddr from 'ipaddr.js'
import { type FieldFault, invalid } from './errors.ts'
import type { KeyAction, ScopeRecordType } from '@homing/openapi/vocabulary'
import type { KeyScope } from './key-scope.ts'

/** The scope as the user entered it. Omitted fields do not limit the key. */
interface ScopeInput {
  readonly domains?: readonly string[] | null
  readonly actions?: readonly KeyAction[] | null
  readonly record_types?: readonly ScopeRecordType[] | null
  readonly networks?: readonly string[] | null
}

interface LifetimeInput {
  /** ISO 8601. */
  readonly expires_at?: string | null
  readonly unused_days?: number | null
}

const DAY_MS = 86_400_000

/** A fault in words, or the stored value. */
type Read = { readonly fault: string } | { readonly value: string }

/**
 * A star is the whole first label and matches everything below the name, or it is part of the first
 * label.
 */
const PATTERN = /^([a-z0-9-]*)\*([a-z0-9-]*)\.(.+)$/

function readPattern(text: string): Read {
  const [, before = '', after = '', rest] = PATTERN.exec(text) ?? []
  if (rest === undefined) {
    return {
      fault: `${text}: a pattern can contain one asterisk, in its first label, such as *.example.net.`,
    }
  }
  try {
    // With a letter in place of the star, the text must be a valid name.
    if (before !== '' || after !== '') parseHostName(`${before}x${after}.${rest}`)
    return { value: `${before}*${after}.${parseHostName(rest)}` }
  } catch (error) {
    if (error instanceof NameError) return { fault: `${text}: ${error.message}` }
    throw error
  }
}

/** The owner name of records, such as `_acme-challenge.home.example.net`. Only records have names with underscores. */
function ownerName(text: string): string {
  const owner = text.replace(/\.$/, '')
  // With letters in place of the underscores, it must be a valid name, and its labels are A-labels.
  const plain = owner.replaceAll('_', 'x')
  return parseHostName(plain) === plain ? owner : parseHostName(owner)
}

function readDomain(typed: string): Read {
  const text = typed.trim().toLowerCase()
  if (text.includes('*')) return readPattern(text)
  try {
    return { value: text.includes('_') ? ownerName(text) : parseHostName(text) }
  } catch (error) {
    if (error instanceof NameError) return { fault: `${text}: ${error.message}` }
    throw error
  }
}

function readNetwork(typed: string): Read {
  const text = typed.trim()
  const network = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  const isPlain = /^(\d+\.\d+\.\d+\.\d+|[0-9a-f:.]+)\/\d{1,3}$/i.test(network)
  if (!isPlain || !ipaddr.isValidCIDR(network)) {
    return { fault: `${text} is not an IP address or a network such as 203.0.113.0/24.` }
  }
  const [address, bits] = ipaddr.parseCIDR(network)
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  const first = family.networkAddressFromCIDR(network)
  if (first.toString() !== address.toString()) {
    return { fault: `${text} is not a network. Expected ${first.toString()}/${bits}.` }
  }
  return { value: `${first.toString()}/${bits}` }
}

/** The distinct values in stored form; adds the faults to `faults`. */
function readAll(
  texts: readonly string[] | null | undefined,
  read: (text: string) => Read,
  field: string,
  faults: FieldFault[],
): string[] | null {
  if (texts === null || texts === undefined) return null
  const values = new Set<string>()
  for (const text of texts) {
    const one = read(text)
    if ('fault' in one) faults.push({ field, message: one.fault })
    else values.add(one.value)
  }
  return [...values]
}

/**
 * A scope in stored form; null when it limits nothing.
 *
 * @throws Refusal `validation-failed`
 */
export function readScope(input: ScopeInput | undefined): KeyScope | null {
  if (input === undefined) return null
  const faults: FieldFault[] = []
  const scope = {
    domains: readAll(input.domains, readDomain, 'scope.domains', faults),
    actions: input.actions ? [...new Set(input.actions)] : null,
    record_types: input.record_types ? [...new Set(input.record_types)] : null,
    networks: readAll(input.networks, readNetwork, 'scope.networks', faults),
  }
  if (faults.length > 0) throw invalid(...faults)
  return Object.values(scope).every((limit) => limit === null) ? null : scope
}

/** The lifetime of a key in stored form. */
export interface Lifetime {
  readonly expiresAt: Date | null
  readonly unusedDays: number | null
  readonly unusedExpiresAt: Date | null
}

/**
 * The lifetime of a new key.
 *
 * @throws Refusal `validation-failed` for a time in the past
 */
export function readLifetime(
  { expires_at, unused_days = null }: LifetimeInput,
  now: Date,
): Lifetime {
  const expiresAt = readEnd(expires_at ?? null, now)
  return { expiresAt, unusedDays: unused_days, unusedExpiresAt: afterDays(unused_days, now) }
}

/**
 * The lifetime of a key after a change. Omitted fields stay as they are, and so does an unchanged expiry, even if it is
 * in the past. A changed number of days without use counts from now, but a lower number never makes the key expire
 * later than a higher one would.
 *
 * @throws Refusal `validation-failed` for another time in the past
 */
export function changeLifetime(before: Lifetime, change: LifetimeInput, now: Date): Lifetime {
  const { expires_at: end, unused_days: days = before.unusedDays } = change
  const isKept =
    end === undefined || (end !== null && before.expiresAt?.getTime() === Date.parse(end))
  const expiresAt = isKept ? before.expiresAt : readEnd(end, now)
  const { unusedDays, unusedExpiresAt } = before
  if (days === unusedDays) return { expiresAt, unusedDays, unusedExpiresAt }
  const isFewer = days !== null && unusedDays !== null && days < unusedDays
  const counted = afterDays(days, now)
  const isEarlier =
    isFewer && unusedExpiresAt !== null && counted !== null && unusedExpiresAt < counted
  return { expiresAt, unusedDays: days, unusedExpiresAt: isEarlier ? unusedExpiresAt : counted }
}

const afterDays = (days: number | null, now: Date): Date | null =>
  days === null ? null : new Date(now.getTime() + days * DAY_MS)

/** @throws Refusal `validation-failed` for a time in the past */
function readEnd(text: string | null, now: Date): Date | null {
  if (text === null) return null
  const end = new Date(text)
  // A leap second matches the format, but `Date` cannot represent it.
  if (!(end > now)) {
    throw invalid({ field: 'expires_at', message: 'expires_at must be in the future.' })
  }
  return end
}
