import { ConfigError, EXIT_CONFIG } from '../config/config-error.ts'
import { isProvisioningFault } from '../provisioning/faults.ts'
import type { Log } from '../process/log.ts'
import { DataDirInUse } from './data-dir-lock.ts'
import { PartDoesNotStart } from './service.ts'

/**
 * Reports why the start failed: one line for an expected error, the complete error for an
 * unexpected one. @returns the exit code
 */
export function reportFailure(error: unknown, log: Log): number {
  const foreseen =
    error instanceof ConfigError ||
    error instanceof DataDirInUse ||
    error instanceof PartDoesNotStart ||
    isProvisioningFault(error)
  if (!foreseen) {
    log.fatal({ err: error }, 'start failed')
    return 1
  }
  process.stderr.write(`${error.message}\n`)
  if (error instanceof PartDoesNotStart) return error.exitCode
  return error instanceof DataDirInUse ? 1 : EXIT_CONFIG
}
