import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { findDomain } from '../../lib/domains.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'
import { CHECK_FIELDS, CHECKING, checkFacts, fallbackNote } from '../../lib/forwards.ts'
import { facts } from '../../lib/output.ts'
import { printable } from '../../lib/text.ts'

export default class ForwardsCheck extends AccountCommand {
  static override summary = 'Check a target before you forward a domain to it.'
  static override description = `Nothing is saved. If the target does not work, the command prints what it found and exits with ${EXIT.refused}.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> https://shop.example.com/start',
    '<%= config.bin %> <%= command.id %> shop.example.com --domain home.example.net --json',
  ]
  static override jsonFields = CHECK_FIELDS
  static override args = {
    target: Args.string({ description: 'the URL or host to check', required: true }),
  }
  static override flags = {
    domain: Flags.string({
      description: 'your domain that would be forwarded',
      helpValue: 'DOMAIN',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(ForwardsCheck)
    const { domain } = flags
    const check = await this.asCaller(flags, async ({ api }) => {
      const found = domain === undefined ? undefined : await findDomain(api, domain)
      const body = { target_url: args.target, ...(found && { domain_id: found.id }) }
      return bodyOf(
        await this.whileSaying(CHECKING, () => api.POST('/api/webforward/check', { body })),
        'finding',
        'message',
      )
    })
    this.print(facts(checkFacts(check)))
    if (check.finding !== 'reachable') {
      // A script gets what was found, too.
      if (this.jsonEnabled()) this.logJson(this.toSuccessJson(check))
      throw new CommandFailure(EXIT.refused, printable(check.message))
    }
    const note = fallbackNote(check)
    this.note(printable(check.message), ...(note === undefined ? [] : [note]))
    return check
  }
}
