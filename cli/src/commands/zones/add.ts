import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { sendOnce } from '../../lib/once.ts'
import { OWN_ZONE_FIELDS } from '../../lib/own-zones.ts'
import { zoneText } from '../../lib/zone-output.ts'

export default class ZonesAdd extends AccountCommand {
  static override summary = 'Claim a domain that you registered at a registrar.'
  static override description =
    'The claim waits 30 days for the proof that you own the domain, and blocks nobody else. The command prints the name servers for the registrar, and what counts as proof. Not every plan has own zones. For name servers below your own domain: <%= config.bin %> vanity-ns setup'
  static override examples = [
    '<%= config.bin %> <%= command.id %> example.com',
    '<%= config.bin %> <%= command.id %> example.org --vanity',
  ]
  static override jsonFields = OWN_ZONE_FIELDS
  static override args = {
    zone: Args.string({ description: 'the domain', required: true }),
  }
  static override flags = {
    vanity: Flags.boolean({
      description: 'serve it by your vanity name servers, which must be set up',
      default: false,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(ZonesAdd)
    const body = { domain: args.zone, uses_vanity: flags.vanity }
    const zone = await this.asCaller(flags, async ({ api }) =>
      bodyOf(
        await sendOnce((headers) => api.POST('/api/zones', { body, headers })),
        'id',
        'zone',
        'nameservers',
      ),
    )
    this.print(await zoneText(zone, { about: [['zone', zone.zone]], isVerbose: false }))
    this.note('Claimed. Prove that you own it.', `Next: homing zones verify ${zone.zone} --wait`)
    return zone
  }
}
