import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { type AddressFields, byFamily } from '../../lib/addresses.ts'
import { bodyOf } from '../../lib/api.ts'
import { addressesOf, DOMAIN_FIELDS, ofName } from '../../lib/domains.ts'
import { usage } from '../../lib/failure.ts'
import { wholeName } from '../../lib/names.ts'
import { fieldLine } from '../../lib/output.ts'

const FAMILIES = { ipv4: 'record_ipv4', ipv6: 'record_ipv6' } as const

export default class DomainsUpdate extends AccountCommand {
  static override summary = 'Change the addresses of a domain.'
  static override description =
    'An address family that you do not give stays unchanged. To let the service detect the address of this machine: <%= config.bin %> update DOMAIN'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net --ip 198.51.100.7',
    '<%= config.bin %> <%= command.id %> home --ip 2001:db8::7 --withdraw ipv4',
    'Only if nobody has changed it since you read it\n<%= config.bin %> <%= command.id %> home --ip 198.51.100.7 --if-version 3',
  ]
  static override jsonFields = DOMAIN_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }
  static override flags = {
    ip: Flags.string({
      description: 'its new address; once for each family',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ADDRESS',
    }),
    withdraw: Flags.option({
      description: 'the family whose address to remove',
      options: ['ipv4', 'ipv6'] as const,
      multiple: true,
      multipleNonGreedy: true,
    })(),
    'if-version': Flags.integer({
      description: 'change it only if it still has this version (see domains show)',
      helpValue: 'NUMBER',
      min: 1,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsUpdate)
    const change = changeOf(flags.ip ?? [], flags.withdraw ?? [])
    const version = flags['if-version']
    const domain = await this.asCaller(flags, async ({ api }) => {
      const fqdn = await wholeName(api, args.name)
      const answer = await api.PUT('/api/domains/fqdn/{fqdn}', {
        params: { path: { fqdn } },
        body: change,
        ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }),
      })
      return bodyOf(ofName(fqdn, answer), 'fqdn')
    })
    this.print(fieldLine([domain.fqdn, ...addressesOf(domain)]))
    const held = addressesOf(domain).join(' and ') || 'no address'
    this.note(`It has ${held} now.`, `Next: homing domains show ${domain.fqdn}`)
    return domain
  }
}

/** @throws CommandFailure when nothing would change, or a family is both set and withdrawn */
function changeOf(addresses: readonly string[], withdrawn: readonly ('ipv4' | 'ipv6')[]) {
  const change: AddressFields = byFamily(addresses)
  for (const family of withdrawn) {
    const field = FAMILIES[family]
    if (change[field])
      throw usage(`--ip sets the ${family} address that --withdraw removes. Give only one.`)
    change[field] = null
  }
  if (Object.keys(change).length > 0) return change
  throw usage(
    'Give --ip or --withdraw. To let the service detect the address: homing update DOMAIN',
  )
}
