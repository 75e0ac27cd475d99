import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { BaseCommand } from '../base-command.ts'
import { hasRecord, lookUp, RECORD_TYPES, recordTypeOf } from '../lib/dns-records.ts'
import { EXIT } from '../lib/exit-codes.ts'
import { CommandFailure } from '../lib/failure.ts'
import { printable } from '../lib/text.ts'

export default class Resolve extends BaseCommand {
  static override summary = 'Query DNS for a name.'
  static override description =
    'Prints one record per line, sorted. With --expect, it fails if that record is not among them.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home.example.net --type AAAA --nameserver 127.0.0.1:8053',
    '<%= config.bin %> <%= command.id %> home.example.net --expect 198.51.100.7',
  ]
  static override jsonFields = ['name', 'type', 'records']
  static override args = {
    name: Args.string({ description: 'the full name', required: true }),
  }
  static override flags = {
    type: Flags.string({
      description: `type of the records: ${RECORD_TYPES.join(', ')}`,
      helpValue: 'TYPE',
      default: 'A',
    }),
    nameserver: Flags.string({
      description: 'the name server to query; without it, the resolvers of the system',
      helpValue: 'ADDRESS:PORT',
    }),
    expect: Flags.string({ description: 'a record that must exist', helpValue: 'RECORD' }),
  }

  async run() {
    const { args, flags } = await this.parse(Resolve)
    const type = recordTypeOf(flags.type)
    const records = await lookUp(args.name, type, flags.nameserver)
    this.print(records.join('\n'))
    if (flags.expect !== undefined && !hasRecord(records, type, flags.expect)) {
      throw new CommandFailure(
        EXIT.failed,
        printable(`${args.name} has ${records.join(', ')}, not ${flags.expect}.`),
      )
    }
    return { name: args.name, type, records }
  }
}
