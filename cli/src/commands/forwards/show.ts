import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { findForward, FORWARD_FIELDS, forwardFacts } from '../../lib/forwards.ts'
import { facts } from '../../lib/output.ts'

export default class ForwardsShow extends AccountCommand {
  static override summary = 'Show the web forward of a domain.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --json=target_url,hits_7d',
  ]
  static override jsonFields = FORWARD_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(ForwardsShow)
    const forward = await this.asCaller(flags, ({ api }) => findForward(api, args.name))
    this.print(facts(forwardFacts(forward)))
    return forward
  }
}
