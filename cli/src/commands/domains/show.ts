import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { DOMAIN_FIELDS, domainFacts, findDomain } from '../../lib/domains.ts'
import { facts } from '../../lib/output.ts'

export default class DomainsShow extends AccountCommand {
  static override summary = 'Show the details of a domain.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --json=record_ipv4,record_ipv6',
  ]
  static override jsonFields = DOMAIN_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsShow)
    const domain = await this.asCaller(flags, ({ api }) => findDomain(api, args.name))
    this.print(facts(domainFacts(domain)))
    return domain
  }
}
