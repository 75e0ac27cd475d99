import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { BaseCommand } from '../base-command.ts'
import { lookUp, RECORD_TYPES } from '../lib/dns-records.ts'
import { EXIT } from '../lib/exit-codes.ts'
import { CommandFailure } from '../lib/failure.ts'

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
    type: Flags.option({
      description: 'type of the records',
      options: RECORD_TYPES,
      default: 'A' as const,
    })(),
    nameserver: Flags.string({
      description: 'the name server to query; without it, the resolvers of the system',
      helpValue: 'ADDRESS:PORT',
    }),
    expect: Flags.string({ description: 'a record that must exist', helpValue: 'RECORD' }),
  }

  async run() {
    const { args, flags } = await this.parse(Resolve)
    const records = await lookUp(args.name, flags.type, flags.nameserver)
    this.print(records.join('\n'))
    if (flags.expect !== undefined && !records.includes(flags.expect)) {
      throw new CommandFailure(
        EXIT.failed,
        `${args.name} has ${records.join(', ')}, not ${flags.expect}.`,
      )
    }
    return { name: args.name, type: flags.type, records }
  }
}
