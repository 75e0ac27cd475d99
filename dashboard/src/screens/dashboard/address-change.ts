/** The changes in the two address fields of a domain. */
import type { AddressChange, Domain } from '../../api/domains.ts'

export interface TypedAddresses {
  readonly ipv4: string
  readonly ipv6: string
}

export const addressesOf = ({ record_ipv4, record_ipv6 }: Domain): TypedAddresses => ({
  ipv4: record_ipv4 ?? '',
  ipv6: record_ipv6 ?? '',
})

/** The addresses in one field, with spaces or commas between them. Without an address of a family, its text is empty. */
export function addressesIn(text: string): TypedAddresses {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  // A second address of a family stays in the text, and the service names it as invalid.
  return {
    ipv4: parts.filter((part) => !part.includes(':')).join(' '),
    ipv6: parts.filter((part) => part.includes(':')).join(' '),
  }
}

/** An empty field removes the address of its family. Unchanged families are not sent. */
export function changeFrom(before: TypedAddresses, typed: TypedAddresses): AddressChange {
  const [ipv4, ipv6] = [typed.ipv4.trim(), typed.ipv6.trim()]
  return {
    ...(ipv4 === before.ipv4 ? {} : { record_ipv4: ipv4 === '' ? null : ipv4 }),
    ...(ipv6 === before.ipv6 ? {} : { record_ipv6: ipv6 === '' ? null : ipv6 }),
  }
}

export const isChange = (change: AddressChange): boolean => Object.keys(change).length > 0

/** The change that undoes another change. */
export function undoOf(before: Domain, change: AddressChange): AddressChange {
  return {
    ...('record_ipv4' in change ? { record_ipv4: before.record_ipv4 } : {}),
    ...('record_ipv6' in change ? { record_ipv6: before.record_ipv6 } : {}),
  }
}
