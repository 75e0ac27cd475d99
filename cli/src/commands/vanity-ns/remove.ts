import { AccountCommand } from '../../account-command.ts'
import { succeeded } from '../../lib/api.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'
import { requireLeave } from '../../lib/removal.ts'
import { readVanity } from '../../lib/vanity.ts'

export default class VanityRemove extends AccountCommand {
  static override summary = 'Remove your vanity name servers.'
  static override aliases = ['vanity-ns:delete', 'vanity-ns:rm']
  static override description =
    'The zone stays one of your own zones, with the name servers of the service: change them at your registrar. While other zones use the vanity name servers, they cannot be removed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --yes',
  ]
  static override jsonFields = ['zone', 'removed']

  async run() {
    const { flags } = await this.parse(VanityRemove)
    // The service can require confirmation of identity, which repeats the call below.
    let isConfirmed = flags.yes
    return this.asCaller(flags, async ({ api }) => {
      const { zone } = await readVanity(api)
      if (zone === null) {
        throw new CommandFailure(EXIT.notFound, 'You have no vanity name servers.')
      }
      const question = `Remove the vanity name servers of ${zone.zone}?`
      if (!isConfirmed) await requireLeave(this.asking(flags), {}, question)
      isConfirmed = true
      succeeded(await api.DELETE('/api/vanity-ns'))
      this.print(zone.zone)
      this.note(
        `Removed. Change the name servers of ${zone.zone} at your registrar: homing zones show ${zone.zone}`,
      )
      return { zone: zone.zone, removed: true }
    })
  }
}
