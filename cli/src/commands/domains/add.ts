import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { byFamily } from '../../lib/addresses.ts'
import { bodyOf } from '../../lib/api.ts'
import { addressesOf, DOMAIN_FIELDS } from '../../lib/domains.ts'
import { wholeName } from '../../lib/names.ts'
import { sendOnce } from '../../lib/once.ts'
import { fieldLine } from '../../lib/output.ts'

export default class DomainsAdd extends AccountCommand {
  static override summary = 'Register a domain.'
  static override description =
    'The domain then belongs to your account, and DNS answers for it at once.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home',
    '<%= config.bin %> <%= command.id %> home.example.net --ip 198.51.100.7 --ip 2001:db8::7',
    '<%= config.bin %> <%= command.id %> home.example.net --json --username ada --password-file ~/.homing-password',
  ]
  static override jsonFields = DOMAIN_FIELDS
  static override args = {
    name: Args.string({
      description: 'the full domain, or its first label if only one zone is available',
      required: true,
    }),
  }
  static override flags = {
    ip: Flags.string({
      description: 'its address; once for each family',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ADDRESS',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsAdd)
    const addresses = byFamily(flags.ip ?? [])
    const domain = await this.asCaller(flags, async ({ api }) => {
      const fqdn = await wholeName(api, args.name)
      const body = { fqdn, ...addresses }
      return bodyOf(
        await sendOnce((headers) => api.POST('/api/domains', { body, headers })),
        'fqdn',
      )
    })
    this.print(fieldLine([domain.fqdn, ...addressesOf(domain)]))
    const isServed = addressesOf(domain).length > 0
    this.note(
      isServed ? 'Registered. DNS answers for it.' : 'Registered. It has no address yet.',
      `Next: homing update ${domain.fqdn}`,
    )
    return domain
  }
}
