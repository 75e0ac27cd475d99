import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

/** The provider's zones that are on offer, to choose from; none until they have come. */
export function useZoneChoices(): readonly { readonly value: string; readonly label: string }[] {
  const { data } = useQuery({
    queryKey: ['zones on offer'],
    queryFn: async () => (await api.GET('/api/zones/available')).data ?? [],
    staleTime: 300_000,
  })
  return (data ?? []).map(({ zone }) => ({ value: zone, label: zone }))
}
