import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { usage } from '../../lib/failure.ts'
import { changeRecord } from '../../lib/record-calls.ts'
import { findPlace, placeArgument, placeFlags } from '../../lib/record-places.ts'
import { changeValues } from '../../lib/record-values.ts'
import {
  dryRunFlag,
  findRecord,
  RECORD_FIELDS,
  recordArguments,
  recordLines,
  servedSentence,
  ttlFlag,
  versionFlag,
} from '../../lib/records.ts'

const several = { multiple: true, multipleNonGreedy: true, helpValue: 'VALUE' } as const

export default class RecordsUpdate extends AccountCommand {
  static override summary = 'Change the values or the TTL of a record.'
  static override description =
    'Owner and type of a record cannot change. --value replaces all values; --add and --remove keep the other values, also when another person changes them at the same time.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net MX @ --value "10 mail.example.com"',
    '<%= config.bin %> <%= command.id %> home TXT @ --add "v=spf1 -all" --remove "v=spf1 ~all"',
    'Only if nobody has changed it since you read it\n<%= config.bin %> <%= command.id %> home 81 --ttl 300 --if-version 3',
  ]
  static override jsonFields = RECORD_FIELDS
  static override args = { name: placeArgument, ...recordArguments }
  static override flags = {
    value: Flags.string({ description: 'a value; together they replace all values', ...several }),
    add: Flags.string({ description: 'a value to add', ...several }),
    remove: Flags.string({ description: 'a value to remove', ...several }),
    ttl: ttlFlag,
    'if-version': versionFlag,
    'dry-run': dryRunFlag,
    ...placeFlags,
  }

  async run() {
    const { args, flags } = await this.parse(RecordsUpdate)
    const { value, add, remove, ttl, 'if-version': version, 'dry-run': isDryRun } = flags
    if ([value, add, remove, ttl].every((given) => given === undefined)) {
      throw usage('Give what to change: --value, --add, --remove or --ttl.')
    }
    const isPartial = add !== undefined || remove !== undefined
    if (isPartial && (value !== undefined || version !== undefined)) {
      throw usage('--add and --remove cannot be used together with --value or --if-version.')
    }
    const record = await this.asCaller(flags, async ({ api }) => {
      const place = await findPlace(api, args.name, flags)
      if (isPartial) {
        return changeValues(api, place, args, { add, remove, ttl }, { isDryRun })
      }
      const { id } = await findRecord(api, place, args)
      const body = {
        ...(value !== undefined && { values: value }),
        ...(ttl !== undefined && { ttl }),
      }
      return changeRecord(api, place, id, body, { isDryRun, version })
    })
    this.print(recordLines(record))
    this.note(
      isDryRun
        ? 'Nothing was changed. The rules allow this change.'
        : `Stored. ${servedSentence(record)}`,
    )
    return record
  }
}
