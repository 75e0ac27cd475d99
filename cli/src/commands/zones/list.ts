import { AccountCommand } from '../../account-command.ts'
import { listOf } from '../../lib/api.ts'
import { listed } from '../../lib/output.ts'
import { OWN_ZONE_FIELDS, ownZoneListing } from '../../lib/own-zones.ts'
import { counted } from '../../lib/text.ts'

export default class ZonesList extends AccountCommand {
  static override summary = 'List your own zones.'
  static override aliases = ['zones:ls']
  static override description =
    'Own zones are domains that you registered at a registrar and that the service serves. In a pipe, each line has zone, state, records, domains, name servers, last check and id, separated by tabs. <%= config.bin %> zones lists the zones where you can register domains, which include yours.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json=zone,state',
  ]
  static override jsonFields = OWN_ZONE_FIELDS

  async run() {
    const { flags } = await this.parse(ZonesList)
    const zones = await this.asCaller(flags, async ({ api }) =>
      listOf(await api.GET('/api/zones'), 'id', 'zone', 'state'),
    )
    this.print(await listed(zones, ownZoneListing))
    if (zones.length > 0) this.note(`${counted(zones.length, 'own zone')}.`)
    else this.note('You have no own zones. Claim a domain: homing zones add example.com')
    return zones
  }
}
