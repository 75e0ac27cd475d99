import { NoAnswer } from '@homing/dnsd/client'
import { PropagationChecks } from '../../src/propagation/checks.ts'

/** Name servers that do not answer, at once: at the addresses of the configuration, something else can listen. */
export const silentServers = (config: ConstructorParameters<typeof PropagationChecks>[0]) =>
  new PropagationChecks(config, {
    ask: async () => {
      throw new NoAnswer([])
    },
  })
