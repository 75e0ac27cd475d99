import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { listRecords } from '../../lib/record-calls.ts'
import { findPlace, fullOwner, placeArgument, placeFlags } from '../../lib/record-places.ts'
import { listedRecords, RECORD_FIELDS } from '../../lib/records.ts'
import { counted } from '../../lib/text.ts'

export default class Records extends AccountCommand {
  static override summary = 'List the records of a domain or of an own zone.'
  static override aliases = ['records:list', 'records:ls']
  static override description =
    'A terminal shortens long values; records show prints them whole. In a pipe, each value is a line with id, owner, type, TTL and value, separated by tabs. The addresses of domains are not records: see domains.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --type TXT --json=owner,values',
    'An own zone\n<%= config.bin %> <%= command.id %> example.com --owner www',
  ]
  static override jsonFields = RECORD_FIELDS
  static override args = { name: placeArgument }
  static override flags = {
    type: Flags.string({ description: 'only records of this type', helpValue: 'TYPE' }),
    owner: Flags.string({ description: 'only records at this name', helpValue: 'OWNER' }),
    search: Flags.string({
      description: 'only records with this text in the owner or a value',
      helpValue: 'TEXT',
    }),
    ...placeFlags,
  }

  async run() {
    const { args, flags } = await this.parse(Records)
    const { type, owner, search } = flags
    return this.asCaller(flags, async ({ api }) => {
      const place = await findPlace(api, args.name, flags)
      const filter = {
        ...(type && { type: type.toUpperCase() }),
        ...(owner && { owner: fullOwner(place, owner) }),
        ...(search && { q: search }),
      }
      const records = await listRecords(api, place, filter)
      this.print(await listedRecords(place, records))
      this.note(
        records.length > 0
          ? `${counted(records.length, 'record')} of ${place.name}.`
          : noRecords(place.name, Object.keys(filter).length > 0),
      )
      return records
    })
  }
}

const noRecords = (name: string, isFiltered: boolean): string =>
  isFiltered
    ? `No record of ${name} matches. List all: homing records ${name}`
    : `${name} has no records. Create one: homing records add ${name} TYPE OWNER VALUE`
