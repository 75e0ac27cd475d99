/** The user's own domains and API keys that contain the typed text, by the lists of the service. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { meQuery } from '../../api/account.ts'
import { type ApiKey, foundKeysQuery } from '../../api/api-keys.ts'
import { type Domain, FOUND_LIMIT, foundDomainsQuery } from '../../api/domains.ts'
import { readableName } from '../../components/unicode-name.ts'
import { domainHash, go, hashOf } from '../../routes.ts'
import { type Entry, type Group, matching } from './entries.ts'

/** The pause in typing after which the search starts. */
const TYPING_MS = 150

/** A text that follows another when it does not change for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setPaused, TYPING_MS, text)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

const domainEntry = ({ id, fqdn, record_ipv4, record_ipv6 }: Domain): Entry => ({
  id: `domain-${id}`,
  label: readableName(fqdn),
  hint: record_ipv4 ?? record_ipv6 ?? 'No address',
  icon: 'router',
  run: () => go(domainHash(fqdn)),
})

/** The whole list, if there can be more domains than the palette shows. */
const allDomainsEntry = (search: string): Entry => ({
  id: 'all-domains',
  label: `All domains with “${search}”`,
  icon: 'search',
  run: () => go(hashOf('dashboard', { q: search })),
})

const keyEntry = ({ id, name, prefix }: ApiKey): Entry => ({
  id: `key-${id}`,
  label: name,
  hint: `${prefix}…`,
  icon: 'key',
  run: () => go(hashOf('settings', { dialog: 'edit', id }, 'api-keys')),
})

interface Found {
  readonly groups: readonly Group[]
  readonly isSearching: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** @param typed without spaces at its ends; nothing is searched while it is empty */
export function useFound(typed: string): Found {
  const search = usePaused(typed)
  // When the user types on, the search before is aborted, because no component waits for it.
  const domains = useQuery({ ...foundDomainsQuery(search), enabled: search !== '' })
  const { data: me } = useQuery(meQuery)
  const hasKeys = me?.limits.abilities.includes('api_keys') === true
  const keys = useQuery({ ...foundKeysQuery(search), enabled: hasKeys && search !== '' })
  const isCurrent = search === typed
  // Until the results of the typed text arrive, those of the text before are useful.
  const only = (entries: readonly Entry[]) =>
    isCurrent && !domains.isPlaceholderData ? entries : matching(entries, typed)
  const found = (domains.data ?? []).map(domainEntry)
  const more = found.length === FOUND_LIMIT && isCurrent ? [allDomainsEntry(typed)] : []
  return {
    groups:
      typed === ''
        ? []
        : [
            { title: 'Domains', entries: [...only(found), ...more] },
            { title: 'API keys', entries: only((keys.data ?? []).map(keyEntry)) },
          ],
    isSearching: typed !== '' && (!isCurrent || domains.isFetching || keys.isFetching),
    error: typed !== '' && isCurrent ? (domains.error ?? keys.error) : null,
    retry() {
      void domains.refetch()
      if (hasKeys) void keys.refetch()
    },
  }
}
