import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { meQuery } from '../account.ts'
import { useSession } from '../session.ts'
import { LiveDomains } from './live-domains.ts'
import { type LiveState, NOT_LIVE, SharedStream } from './shared-stream.ts'

const noSubscription = () => () => undefined

const canStream = () => 'EventSource' in globalThis && 'BroadcastChannel' in globalThis

/**
 * Keeps the lists of domains current while a component is mounted.
 *
 * @param isHeld whether the rows must stay where they are; the same function each time
 * @returns whether the live stream does it, or polling
 */
export function useLiveDomains(isHeld: () => boolean): LiveState {
  const queries = useQueryClient()
  const { user } = useSession()
  const { data: me } = useQuery(meQuery)
  // Once the service has accepted the session.
  const userId = me && user?.id
  const [stream, setStream] = useState<SharedStream>()
  useEffect(() => {
    if (userId === undefined) return undefined
    const shared = canStream() ? new SharedStream(userId) : undefined
    const domains = new LiveDomains({ queries, stream: shared, isHeld })
    setStream(shared)
    return () => {
      domains.stop()
      shared?.close()
      setStream(undefined)
    }
  }, [queries, userId, isHeld])
  return useSyncExternalStore(stream?.onState ?? noSubscription, () => stream?.state ?? NOT_LIVE)
}
