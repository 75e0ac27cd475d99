import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { succeeded } from '../../lib/api.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'
import { findOwnZone, type OwnZone } from '../../lib/own-zones.ts'
import { type Asking, askText } from '../../lib/prompts.ts'
import { canonicalName } from '../../lib/canonical-name.ts'
import { counted } from '../../lib/text.ts'

export default class ZonesRemove extends AccountCommand {
  static override summary = 'Delete an own zone with its records and domains.'
  static override aliases = ['zones:delete', 'zones:rm']
  static override description =
    'DNS stops answering for it. This cannot be undone: at a terminal, type the name of the zone to confirm. A zone whose name servers other zones use cannot be deleted.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> example.com',
    '<%= config.bin %> <%= command.id %> example.com --yes',
  ]
  static override jsonFields = ['id', 'zone', 'removed']
  static override args = {
    zone: Args.string({ description: 'your own zone', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(ZonesRemove)
    // The service can require confirmation of identity, which repeats the call below.
    let isConfirmed = flags.yes
    return this.asCaller(flags, async ({ api }) => {
      const found = await findOwnZone(api, args.zone)
      if (!isConfirmed) {
        this.note(lossOf(found))
        await confirmByName(this.asking(flags), found)
      }
      isConfirmed = true
      const { id, zone } = found
      const call = { params: { path: { id } }, body: { confirm: zone } }
      succeeded(await api.DELETE('/api/zones/{id}', call))
      this.print(zone)
      this.note('Deleted. Change the name servers at your registrar, too.')
      return { id, zone, removed: true }
    })
  }
}

function lossOf({ zone, records, domains }: OwnZone): string {
  return `This deletes ${zone} with ${counted(records, 'record')} and ${counted(domains, 'domain')}. It cannot be undone.`
}

/** @throws CommandFailure if the name is not typed */
async function confirmByName(asking: Asking, { zone }: OwnZone): Promise<void> {
  const typed = await askText(asking, { message: `Type ${zone} to confirm:`, instead: '--yes' })
  if (canonicalName(typed) !== zone) throw new CommandFailure(EXIT.failed, 'Nothing was removed.')
}
