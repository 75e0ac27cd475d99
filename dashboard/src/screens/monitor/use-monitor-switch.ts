/** Turns monitors on and off. The new state is shown at once, and the former one again if the service refuses. */
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWriteEach } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Domain } from '../../api/domains.ts'
import { type MonitorFields, MONITORS_KEY, setMonitoring, showMonitor } from '../../api/monitors.ts'
import { textOf } from '../../api/problem.ts'

type Watched = Pick<Domain, 'id' | 'fqdn'> & MonitorFields

interface Switch {
  readonly domain: Watched
  readonly enable: boolean
}

/** The state of the monitor as the domain has it. */
const stateOf = ({ id, fqdn, ...domain }: Watched) => ({
  domain_id: id,
  fqdn,
  is_enabled: domain.monitor_enabled,
  kind: domain.monitor_kind,
  port: domain.monitor_port,
  state: domain.monitor_state ?? 'off',
})

const idOf = ({ domain }: Switch): string => domain.id

/** @returns the same function each time. It does nothing while an earlier switch of the domain is under way. */
export function useMonitorSwitch(): (domain: Watched, enable: boolean) => void {
  const queries = useQueryClient()
  const write = useWriteEach(
    {
      mutationFn: ({ domain, enable }: Switch) => setMonitoring(domain.id, enable),
      onMutate({ domain, enable }) {
        const state = enable ? ('pending' as const) : ('off' as const)
        showMonitor(queries, { ...stateOf(domain), is_enabled: enable, state })
      },
      onSuccess: (monitor) => showMonitor(queries, monitor),
      onError(error, { domain }) {
        showMonitor(queries, stateOf(domain))
        const text = `${domain.fqdn}: ${textOf(error, 'Failed to update monitoring')}`
        notify({ kind: 'failure', text })
      },
      onSettled: () => void queries.invalidateQueries({ queryKey: [MONITORS_KEY] }),
    },
    idOf,
  )
  return useCallback((domain, enable) => write({ domain, enable }), [write])
}
