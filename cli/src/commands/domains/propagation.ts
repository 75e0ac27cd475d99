import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { setTimeout as delay } from 'node:timers/promises'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { findDomain } from '../../lib/domains.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { listed } from '../../lib/output.ts'
import {
  PROPAGATION_FIELDS,
  requireCurrent,
  serverListing,
  untilCurrent,
} from '../../lib/propagation.ts'
import { lengthMs } from '../../lib/times.ts'

/** A check takes up to five seconds while a server is behind. */
const ASKING = 'Asking every name server…'
const WAITING = 'Waiting for the name servers. Press Ctrl-C to stop…'

export default class DomainsPropagation extends AccountCommand {
  static override summary = 'Check the propagation of a domain at every name server.'
  static override description = `The service asks each name server of the zone for the serial and for the addresses of the domain. The command exits with ${EXIT.failed} if one does not have the last change. In a pipe, each line has name server, address, state, serial, addresses, milliseconds and message, separated by tabs. An account can make 600 checks per hour. To query one server or your resolvers, without an account, use homing resolve.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --wait --timeout 2m',
    '<%= config.bin %> <%= command.id %> home --json=is_current,servers',
  ]
  static override jsonFields = PROPAGATION_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }
  static override flags = {
    wait: Flags.boolean({
      description: 'repeat the check until every name server is current; Ctrl-C stops',
    }),
    timeout: Flags.string({
      description: 'with --wait, how long to wait, such as 5m or 1h',
      helpValue: 'LENGTH',
      dependsOn: ['wait'],
    }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsPropagation)
    const limit = flags.timeout === undefined ? undefined : lengthMs('--timeout', flags.timeout)
    const found = await this.asCaller(flags, async ({ api }) => {
      const { id } = await findDomain(api, args.name)
      const call = { params: { path: { id } } }
      const check = async () =>
        this.whileSaying(ASKING, async () =>
          bodyOf(await api.GET('/api/domains/{id}/propagation', call), 'fqdn', 'servers'),
        )
      if (!flags.wait) return check()
      return untilCurrent({
        check,
        tell: (line) => this.note(line),
        pause: (milliseconds) => this.whileSaying(WAITING, () => delay(milliseconds)),
        until: limit === undefined ? Number.POSITIVE_INFINITY : Date.now() + limit,
      })
    })
    this.print(await listed(found.servers, serverListing))
    // A script gets what was found, too.
    if (!found.is_current && this.jsonEnabled()) this.logJson(this.toSuccessJson(found))
    requireCurrent(found)
    this.note(found.message)
    return found
  }
}
