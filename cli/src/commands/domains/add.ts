import { Args, Flags } from '@oclif/core'
import { isIPv4, isIPv6 } from 'node:net'
import { accountFlags, accountFrom, BaseCommand } from '../../base-command.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'

/** The addresses by family; a family named twice, or a text that is none, is a mistake. */
function byFamily(addresses: readonly string[]): { record_ipv4?: string; record_ipv6?: string } {
  const chosen: { record_ipv4?: string; record_ipv6?: string } = {}
  for (const address of addresses) {
    const family = isIPv4(address) ? 'record_ipv4' : 'record_ipv6'
    if (family === 'record_ipv6' && !isIPv6(address)) {
      throw new CommandFailure(
        EXIT.usage,
        `--ip takes an IPv4 or IPv6 address; "${address}" is neither.`,
      )
    }
    if (chosen[family] !== undefined) {
      throw new CommandFailure(EXIT.usage, '--ip takes at most one address of each family.')
    }
    chosen[family] = address
  }
  return chosen
}

export default class DomainsAdd extends BaseCommand {
  static override summary = 'Register a name.'
  static override description =
    'The name belongs to the account from then on, and DNS answers for it at once.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net --ip 198.51.100.7',
    '<%= config.bin %> <%= command.id %> home.example.net --ip 198.51.100.7 --ip 2001:db8::7 --json',
    '<%= config.bin %> <%= command.id %> home.example.net --username ada --password-file ~/.homing-password',
  ]
  static override args = {
    name: Args.string({ description: 'the whole name', required: true }),
  }
  static override flags = {
    ip: Flags.string({
      description: 'its address; once for each family',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ADDRESS',
    }),
    ...accountFlags,
  }

  async run() {
    const { args, flags } = await this.parse(DomainsAdd)
    const addresses = byFamily(flags.ip ?? [])
    const { server, credentials } = accountFrom(flags)
    const { apiAt, bodyOf, signedIn } = await import('../../lib/api.ts')
    const api = apiAt(server)
    const domain = await signedIn(api, credentials, async (headers) =>
      bodyOf(await api.POST('/api/domains', { headers, body: { fqdn: args.name, ...addresses } })),
    )
    const held = [domain.record_ipv4, domain.record_ipv6].filter((address) => address !== null)
    this.log([domain.fqdn, ...held].join(' '))
    this.note(`It is yours. Next: homing update ${domain.fqdn}`)
    return domain
  }
}
