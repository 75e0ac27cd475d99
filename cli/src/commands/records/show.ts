import { AccountCommand } from '../../account-command.ts'
import { facts } from '../../lib/output.ts'
import { findPlace, placeArgument, placeFlags } from '../../lib/record-places.ts'
import { findRecord, RECORD_FIELDS, recordArguments, recordFacts } from '../../lib/records.ts'

export default class RecordsShow extends AccountCommand {
  static override summary = 'Show a record with its whole values and its version.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net TXT _acme-challenge',
    '<%= config.bin %> <%= command.id %> home 81 --json=values',
  ]
  static override jsonFields = RECORD_FIELDS
  static override args = { name: placeArgument, ...recordArguments }
  static override flags = placeFlags

  async run() {
    const { args, flags } = await this.parse(RecordsShow)
    const record = await this.asCaller(flags, async ({ api }) =>
      findRecord(api, await findPlace(api, args.name, flags), args),
    )
    this.print(facts(recordFacts(record)))
    return record
  }
}
