import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { createRecord } from '../../lib/record-calls.ts'
import { canonicalName } from '../../lib/canonical-name.ts'
import { findPlace, placeArgument, placeFlags } from '../../lib/record-places.ts'
import { appendValues } from '../../lib/record-values.ts'
import {
  dryRunFlag,
  RECORD_FIELDS,
  recordLines,
  servedSentence,
  ttlFlag,
} from '../../lib/records.ts'

export default class RecordsAdd extends AccountCommand {
  static override summary = 'Create a record.'
  static override description =
    'Several values of the same type at the same name are one record. With --append, a record that exists gets the values in addition to its own. Values are those of a zone file; a text without quotes is one value of a TXT record. Put -- before a value that begins with a hyphen.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net TXT _acme-challenge gfj9XqRg85nM --ttl 60',
    '<%= config.bin %> <%= command.id %> home MX @ "10 mail.example.com" "20 mail2.example.com"',
    'Only check it\n<%= config.bin %> <%= command.id %> example.com CAA @ \'0 issue "letsencrypt.org"\' --dry-run',
  ]
  static override jsonFields = RECORD_FIELDS
  static override args = {
    name: placeArgument,
    type: Args.string({
      description: 'the type, such as TXT, CNAME, MX, CAA, SRV or NS',
      required: true,
    }),
    owner: Args.string({
      description: 'its name, relative to the domain, @ for the domain itself, or in full',
      required: true,
    }),
    values: Args.string({ description: 'its values', required: true, multiple: true }),
  }
  static override flags = {
    ttl: ttlFlag,
    append: Flags.boolean({ description: 'add the values if the record exists' }),
    'dry-run': dryRunFlag,
    ...placeFlags,
  }

  async run() {
    const { args, flags } = await this.parse(RecordsAdd)
    const { ttl, append, 'dry-run': isDryRun } = flags
    const { type, values } = args
    const owner = canonicalName(args.owner)
    const record = await this.asCaller(flags, async ({ api }) => {
      const place = await findPlace(api, args.name, flags)
      if (append) return appendValues(api, place, { type, owner, values, ttl }, { isDryRun })
      const body = { type, owner, values, ...(ttl !== undefined && { ttl }) }
      return createRecord(api, place, body, { isDryRun })
    })
    this.print(recordLines(record))
    if (isDryRun) this.note('Nothing was changed. The rules allow this record.')
    else this.note(`Stored. ${servedSentence(record)}`, `Next: homing records ${args.name}`)
    return record
  }
}
