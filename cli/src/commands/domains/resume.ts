import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { changeDomain } from '../../lib/change-domain.ts'
import { DOMAIN_FIELDS } from '../../lib/domains.ts'
import { wholeName } from '../../lib/names.ts'

export default class DomainsResume extends AccountCommand {
  static override summary = 'Let DNS serve a paused domain again.'
  static override examples = ['<%= config.bin %> <%= command.id %> home.example.net']
  static override jsonFields = DOMAIN_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsResume)
    const domain = await this.asCaller(flags, async ({ api }) =>
      changeDomain(api, await wholeName(api, args.name), { paused: false }),
    )
    this.print(domain.fqdn)
    this.note('Resumed.', `Next: homing resolve ${domain.fqdn}`)
    return domain
  }
}
