/** What the user has typed about one new domain. */
import type { NewDomain } from '../../../api/domains.ts'
import type { ApiProblem } from '../../../api/problem.ts'
import { type RecordType, typeOfAddress, wholeName } from '../new-name.ts'
import { faultInAddress } from './address-fault.ts'

export interface DomainDraft {
  /** Undefined until the user types: the field then has the name that they looked up before they signed in. */
  readonly typed: string | undefined
  readonly zone: string | undefined
  readonly rrtype: RecordType
  /** The address of the type `rrtype`. */
  readonly address: string
  /** The address of the other type; undefined while its field is not shown. */
  readonly second: string | undefined
}

export const EMPTY_DRAFT: DomainDraft = {
  typed: undefined,
  zone: undefined,
  rrtype: 'A',
  address: '',
  second: undefined,
}

export const otherType = (type: RecordType): RecordType => (type === 'A' ? 'AAAA' : 'A')

/** The record type follows the address. */
export const withAddress = (draft: DomainDraft, address: string): DomainDraft => ({
  ...draft,
  address,
  rrtype: typeOfAddress(address) ?? draft.rrtype,
})

/** The user's own address in the field of its type. Beside an address of the other type, it is the second one. */
export function withOwnAddress(draft: DomainDraft, own: string): DomainDraft {
  const isFirst = draft.address.trim() === '' || typeOfAddress(own) === draft.rrtype
  return isFirst ? withAddress(draft, own) : { ...draft, second: own }
}

export const hasFault = ({ address, second = '', rrtype }: DomainDraft): boolean =>
  faultInAddress(address, rrtype) !== undefined ||
  faultInAddress(second, otherType(rrtype)) !== undefined

/** @param typed with the name that was looked up, if the user has not changed it */
export function newDomainOf(
  { rrtype, address, second = '' }: DomainDraft,
  { typed, zone }: { readonly typed: string; readonly zone: string },
): NewDomain {
  const [first, other] = [address.trim(), second.trim()]
  const beside = rrtype === 'A' ? { record_ipv6: other } : { record_ipv4: other }
  return {
    fqdn: wholeName(typed, zone),
    zone,
    rrtype,
    ...(first === '' ? {} : { record_ip: first }),
    ...(other === '' ? {} : beside),
  }
}

const fieldOf = (type: RecordType) => (type === 'A' ? 'record_ipv4' : 'record_ipv6')

/** Why the service refused each of the two addresses. */
export const addressErrors = (problem: ApiProblem | undefined, rrtype: RecordType) => ({
  first: problem?.of('record_ip', fieldOf(rrtype)),
  second: problem?.of(fieldOf(otherType(rrtype))),
})
