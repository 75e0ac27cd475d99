import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf, strange } from '../../lib/api.ts'
import { sendOnce } from '../../lib/once.ts'
import { VANITY_FIELDS } from '../../lib/vanity.ts'
import { zoneText } from '../../lib/zone-output.ts'

export default class VanitySetup extends AccountCommand {
  static override summary = 'Set up name servers below your own domain.'
  static override description =
    'The service claims the domain for you, and makes its zone with the name servers ns1 and ns2 below it. Enter both with their addresses (glue records) at your registrar, and then use them as the name servers of the domain. The other order does not work: resolvers could not find them. A second call with the same domain changes nothing.'
  static override examples = ['<%= config.bin %> <%= command.id %> example.com']
  static override jsonFields = VANITY_FIELDS
  static override args = {
    zone: Args.string({ description: 'a domain that you registered', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(VanitySetup)
    const body = { domain: args.zone }
    const status = await this.asCaller(flags, async ({ api }) =>
      bodyOf(
        await sendOnce((headers) => api.POST('/api/vanity-ns/setup', { body, headers })),
        'nameservers',
        'zone',
      ),
    )
    if (status.zone === null) throw strange()
    this.print(
      await zoneText(status.zone, { about: [['zone', status.zone.zone]], isVerbose: false }),
    )
    this.note(
      'Setup complete! Now add the glue records at your registrar.',
      'Next: homing vanity-ns verify --wait',
    )
    return status
  }
}
