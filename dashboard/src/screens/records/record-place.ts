import type { DnsRecord, RecordHome } from '../../api/records.ts'

/** Where a panel of records is: on the page of a domain, or of an own zone. */
export interface RecordPlace extends RecordHome {
  /** The name of the domain or zone, with A-labels. */
  readonly apex: string
  /** Whether records can be added, changed and deleted. */
  readonly canEdit: boolean
  /** Why not, in sentences. */
  readonly reasonNot?: string | undefined
  /** Why DNS does not serve the records now, in sentences; undefined if it does. */
  readonly notServed?: string | undefined
}

/** An owner name as users read it: `@` for the place itself, otherwise what is before the name of the place. */
export function relativeOwner(owner: string, apex: string): string {
  if (owner === apex) return '@'
  return owner.endsWith(`.${apex}`) ? owner.slice(0, -apex.length - 1) : owner
}

/** The full name that a typed owner means. The service decides; this only shows it while the user types. */
export function fullOwner(typed: string, apex: string): string {
  const name = typed.trim().toLowerCase().replace(/\.$/, '')
  if (name === '' || name === '@' || name === apex) return apex
  return name.endsWith(`.${apex}`) ? name : `${name}.${apex}`
}

/** A record in a sentence: `TXT of _acme-challenge`. */
export const recordName = ({ type, owner }: Pick<DnsRecord, 'type' | 'owner'>, apex: string) =>
  `${type} of ${owner === apex ? apex : relativeOwner(owner, apex)}`
