/** The names of update clients, such as FRITZ!Box. The table of devices is large, so it is loaded after the rows. */
import { queryOptions, useQuery } from '@tanstack/react-query'

const devicesQuery = queryOptions({
  queryKey: ['device-names'],
  async queryFn() {
    const { clientName } = await import('@homing/openapi/devices')
    return { clientName }
  },
  staleTime: Infinity,
  structuralSharing: false,
  // Without the table, the rows show the product that the client names.
  retry: false,
})

/** `ddclient/3.10.0` → `ddclient`, and a browser without its long list of products. */
function productOf(userAgent: string): string {
  if (userAgent.startsWith('Mozilla/')) return 'a browser'
  return userAgent.split('/')[0]?.slice(0, 32) ?? userAgent
}

export type NameClient = (userAgent: string) => string

/** Names a client by its `User-Agent`. @param isNeeded whether a row has a client */
export function useClientName(isNeeded: boolean): NameClient {
  const { data } = useQuery({ ...devicesQuery, enabled: isNeeded })
  return data === undefined ? productOf : namedBy(data.clientName)
}

const known = new WeakMap<NameClient, NameClient>()

/** The same function each time, so that the rows do not render again. */
function namedBy(clientName: NameClient): NameClient {
  const made = known.get(clientName)
  if (made !== undefined) return made
  const name: NameClient = (userAgent) => {
    const device = clientName(userAgent)
    return device === userAgent ? productOf(userAgent) : device
  }
  known.set(clientName, name)
  return name
}
