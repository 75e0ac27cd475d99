import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { writeParts } from '../../lib/file-output.ts'
import { exportPath } from '../../lib/record-calls.ts'
import { findPlace, placeArgument, placeFlags } from '../../lib/record-places.ts'
import { streamed } from '../../lib/streamed.ts'

export default class RecordsExport extends AccountCommand {
  static override summary = 'Write the records of a domain or of an own zone to a zone file.'
  static override description =
    'BIND, Knot DNS and NSD read the file. It also has the addresses of the domains, which an import leaves out. Import it again with: <%= config.bin %> records import DOMAIN FILE'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> example.com -o example.com.zone',
  ]
  static override jsonFields = ['name', 'text']
  static override args = { name: placeArgument }
  static override flags = {
    output: Flags.string({
      char: 'o',
      description: 'the file to write; default: stdout',
      helpValue: 'FILE',
      exclusive: ['json'],
    }),
    ...placeFlags,
  }

  async run() {
    const { args, flags } = await this.parse(RecordsExport)
    return this.asCaller(flags, async (caller) => {
      const place = await findPlace(caller.api, args.name, flags)
      const parts = streamed(caller, { path: exportPath(place), type: 'text/plain' })
      if (this.jsonEnabled()) {
        let text = ''
        for await (const part of parts) text += part
        return { name: place.name, text }
      }
      await writeParts(parts, flags.output)
      if (flags.output !== undefined) this.note(`Written: ${flags.output}`)
      return undefined
    })
  }
}
