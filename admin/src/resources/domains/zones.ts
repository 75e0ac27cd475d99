import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

/** The zones in which users can register domains, as choices; empty until they have loaded. */
export function useZoneChoices(): readonly { readonly value: string; readonly label: string }[] {
  const { data } = useQuery({
    queryKey: ['zones on offer'],
    queryFn: async () => (await api.GET('/api/zones/available')).data ?? [],
    staleTime: 300_000,
  })
  return (data ?? []).map(({ zone }) => ({ value: zone, label: zone }))
}
