import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { changeDomain } from '../../lib/change-domain.ts'
import { DOMAIN_FIELDS } from '../../lib/domains.ts'
import { wholeName } from '../../lib/names.ts'

export default class DomainsPause extends AccountCommand {
  static override summary = 'Stop DNS from serving a domain, and keep it.'
  static override description =
    'Updates are still stored. The domain stays yours, and counts towards the limit of your plan.'
  static override examples = ['<%= config.bin %> <%= command.id %> home.example.net']
  static override jsonFields = DOMAIN_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsPause)
    const domain = await this.asCaller(flags, async ({ api }) =>
      changeDomain(api, await wholeName(api, args.name), { paused: true }),
    )
    this.print(domain.fqdn)
    this.note('Paused. DNS no longer answers for it.', `Next: homing domains resume ${domain.fqdn}`)
    return domain
  }
}
