/** The parameters of the list of domains. */
export const SORT_FIELDS = ['fqdn', 'zone', 'record_ip', 'last_update_at'] as const
export type SortField = (typeof SORT_FIELDS)[number]

export interface DomainListRequest {
  readonly search: string
  readonly sort: { readonly field: SortField; readonly descending: boolean }
  /** Starts at 1. */
  readonly page: number
}
