/** The columns of the export, in the order of `ExportedDomain`: a new column of the file is a line here. */
import type { ExportedDomain } from '@homing/openapi'
import type { OwnedDomain } from '../../../models/domain.ts'

function stateOf({ is_active, record_ipv4, record_ipv6 }: OwnedDomain): ExportedDomain['status'] {
  if (!is_active) return 'withheld'
  return record_ipv4 === null && record_ipv6 === null ? 'no-address' : 'active'
}

const COLUMNS: {
  readonly [Name in keyof ExportedDomain]: (domain: OwnedDomain) => ExportedDomain[Name]
} = {
  domain: ({ fqdn }) => fqdn,
  zone: ({ zone }) => zone,
  ipv4: ({ record_ipv4 }) => record_ipv4,
  ipv6: ({ record_ipv6 }) => record_ipv6,
  status: stateOf,
  wildcard: ({ wildcard_enabled }) => wildcard_enabled,
  paused: ({ paused }) => paused,
  tags: ({ tags }) => tags.join(', '),
  note: ({ note }) => note,
  ttl: ({ ttl }) => ttl,
  created_at: ({ created_at }) => created_at.toISOString(),
  last_update_at: ({ last_update_at }) => last_update_at?.toISOString() ?? null,
}

/** The names of the columns, as the head of the CSV file has them. */
export const COLUMN_NAMES = Object.keys(COLUMNS)

/** A domain as a row of the export. */
export function exportedRow(domain: OwnedDomain): ExportedDomain {
  const cells = Object.entries(COLUMNS).map(([name, of]) => [name, of(domain)])
  return Object.fromEntries(cells) as ExportedDomain
}
