/** The door to walks: how many run at once, and where they may go. */
import type { ApiConfig } from '../config/api.ts'
import { type DelegationChecks, DelegationChecksBusy } from './types.ts'

type ChecksConfig = Pick<
  ApiConfig,
  'rootServers' | 'allowsPrivateTargets' | 'nameservers' | 'dnsHosts' | 'dnsPort'
>

export function delegationChecksOf(config: ChecksConfig): DelegationChecks {
  void config
  return {
    check: async () => {
      throw new DelegationChecksBusy()
    },
  }
}
