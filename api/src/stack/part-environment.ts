/**
 * The variables that parts inherit from the supervisor: of Homing's own variables only those that
 * the part's loader reads. A vulnerability in the DNS daemon or the web-forwarding server, which
 * are open to the whole Internet, must not reveal the API's secrets.
 */
import { apiLoader } from '../config/api.ts'
import { DNSD_VARIABLES } from '../config/dnsd-variables.ts'
import { forwarderLoader } from '../config/forwarder.ts'
import { type Environment, pickVariables } from '../config/variables.ts'
import { workerLoader } from '../config/worker.ts'
import type { PartName } from './node-part.ts'
import { systemEnvironment } from './system-environment.ts'

/** Homing's own variables that each part reads. */
const PART_VARIABLES: Readonly<Record<PartName, readonly string[]>> = {
  api: apiLoader.variables,
  worker: workerLoader.variables,
  forwarder: forwarderLoader.variables,
  dnsd: DNSD_VARIABLES,
}

/**
 * The environment of a part.
 *
 * @param decided values set by the supervisor; those that the part does not read are dropped
 * @param environment the supervisor's own environment
 */
export function environmentOfPart(
  name: PartName,
  decided: Environment,
  environment: Environment = process.env,
): NodeJS.ProcessEnv {
  const own = pickVariables({ ...environment, ...decided }, PART_VARIABLES[name])
  return { ...systemEnvironment(environment), ...own }
}
