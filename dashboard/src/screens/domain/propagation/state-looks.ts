/** The states of a name server, as the page shows them: by icon, word and colour. */
import type { IconName } from '@homing/theme/parts/Icon.tsx'
import type { NameServerCheck, Propagation } from '../../../api/propagation.ts'

type State = NameServerCheck['state']

interface Look {
  readonly word: string
  readonly icon: IconName
  readonly className: string
}

const BAD = 'domain-status domain-status-withheld'

export const STATE_LOOKS: Readonly<Record<State, Look>> = {
  current: { word: 'Current', icon: 'success', className: 'domain-status domain-status-active' },
  behind: { word: 'Behind', icon: 'wait', className: 'domain-status domain-status-late' },
  different: { word: 'Other addresses', icon: 'failure', className: BAD },
  'not-serving': { word: 'Does not serve the zone', icon: 'failure', className: BAD },
  unreachable: { word: 'No answer', icon: 'failure', className: BAD },
  'not-checked': { word: 'Not checked', icon: 'unknown', className: 'domain-status' },
}

/** States that are a fault. A server that is behind needs time only, and one that was not asked says nothing. */
const FAULTS: readonly State[] = ['different', 'not-serving', 'unreachable']

export function toneOf({
  is_current,
  servers,
}: Propagation): 'success' | 'info' | 'warn' | 'error' {
  if (is_current) return 'success'
  if (servers.some(({ state }) => FAULTS.includes(state))) return 'error'
  return servers.some(({ state }) => state === 'behind') ? 'warn' : 'info'
}
