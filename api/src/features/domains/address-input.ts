/** The addresses in a call's body: `record_ip`, `record_ipv4`, `record_ipv6`, any subset of them. */
import {
  type AddressPolicy,
  addressType,
  parseAddress,
  requireFamily,
} from '../../rules/addresses.ts'
import { invalid } from '../../rules/errors.ts'

export interface AddressFields {
  readonly record_ip?: string | null
  readonly record_ipv4?: string | null
  readonly record_ipv6?: string | null
}

/** Canonical addresses: null withdraws the family, undefined keeps it. */
export interface AddressInput {
  readonly ipv4: string | null | undefined
  readonly ipv6: string | null | undefined
}

type FieldName = keyof AddressFields

function readField(
  fields: AddressFields,
  field: FieldName,
  family: 4 | 6,
  policy: AddressPolicy,
): string | null | undefined {
  const text = fields[field]
  if (text === null || text === undefined) return text
  const address = parseAddress(text, policy, field)
  requireFamily(address, family, field)
  return address.text
}

/** `record_ip` sets the family of the domain's type; both fields may be given if they agree. */
function merged(
  ofType: string | null | undefined,
  ofFamily: string | null | undefined,
  field: FieldName,
): string | null | undefined {
  if (ofType === undefined) return ofFamily
  if (ofFamily === undefined || ofFamily === ofType) return ofType
  throw invalid({ field, message: `${field} and record_ip differ. Send only one of them.` })
}

/**
 * Reads the addresses for a domain of type `rrtype`.
 *
 * @throws Refusal `validation-failed`, `address-not-allowed`
 */
export function readAddresses(
  fields: AddressFields,
  rrtype: 'A' | 'AAAA',
  policy: AddressPolicy,
): AddressInput {
  const family = rrtype === 'A' ? 4 : 6
  const ofType = readField(fields, 'record_ip', family, policy)
  const ipv4 = readField(fields, 'record_ipv4', 4, policy)
  const ipv6 = readField(fields, 'record_ipv6', 6, policy)
  return family === 4
    ? { ipv4: merged(ofType, ipv4, 'record_ipv4'), ipv6 }
    : { ipv4, ipv6: merged(ofType, ipv6, 'record_ipv6') }
}

/**
 * The type of a new domain when the caller did not give it: the type of its address, or A without
 * an address.
 *
 * @throws Refusal `validation-failed`, `address-not-allowed`
 */
export function typeOf(fields: AddressFields, policy: AddressPolicy): 'A' | 'AAAA' {
  const { record_ip: ip, record_ipv4: ipv4, record_ipv6: ipv6 } = fields
  if (typeof ip === 'string') return addressType(parseAddress(ip, policy, 'record_ip').family)
  return typeof ipv6 === 'string' && typeof ipv4 !== 'string' ? 'AAAA' : 'A'
}
