import { AccountCommand } from '../../account-command.ts'
import { listOf } from '../../lib/api.ts'
import { listed } from '../../lib/output.ts'

export default class Zones extends AccountCommand {
  static override summary = 'List the zones where you can register domains.'
  static override description =
    'Own zones that are active are among them. To manage your own zones: <%= config.bin %> zones list'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override jsonFields = ['zone']

  async run() {
    const { flags } = await this.parse(Zones)
    const zones = await this.asCaller(flags, async ({ api }) =>
      listOf(await api.GET('/api/zones/available'), 'zone'),
    )
    this.print(
      await listed(zones, {
        columns: [{ title: 'ZONE', of: ({ zone }) => zone }],
        fields: ({ zone }) => [zone],
      }),
    )
    const [first] = zones
    this.note(
      first === undefined
        ? 'No zone is available at the moment.'
        : `Register a domain: homing domains add LABEL.${first.zone}`,
    )
    return zones
  }
}
