import { Args, Flags } from '@oclif/core'
import { accountFlags, accountFrom, BaseCommand } from '../base-command.ts'
import { basicAuthorization } from '../lib/credentials.ts'
import { readUpdateAnswer } from '../lib/update-answer.ts'

const textOf = (body: unknown) => (typeof body === 'string' ? body : undefined)

export default class Update extends BaseCommand {
  static override summary = 'Tell the service the address of a name, as a router does.'
  static override description =
    'Without --ip the name gets the address that the request comes from. A family that is not mentioned is kept.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home.example.net --ip 198.51.100.7',
    '<%= config.bin %> <%= command.id %> home.example.net --ip 198.51.100.7,2001:db8::7 --json',
  ]
  static override args = {
    name: Args.string({ description: 'the whole name', required: true }),
  }
  static override flags = {
    ip: Flags.string({
      description: 'its address, or one of each family with a comma between them',
      helpValue: 'ADDRESS',
    }),
    ...accountFlags,
  }

  async run() {
    const { args, flags } = await this.parse(Update)
    const { server, credentials } = accountFrom(flags)
    const { apiAt } = await import('../lib/api.ts')
    const { data, error, response } = await apiAt(server).GET('/nic/update', {
      params: {
        query: { hostname: args.name, ...(flags.ip === undefined ? {} : { myip: flags.ip }) },
      },
      headers: { authorization: basicAuthorization(credentials) },
      parseAs: 'text',
    })
    const result = readUpdateAnswer(args.name, {
      status: response.status,
      text: textOf(data) ?? textOf(error) ?? '',
      retryAfter: response.headers.get('retry-after'),
    })
    this.log([result.name, ...result.addresses].join(' '))
    this.note(result.changed ? 'Changed.' : 'It had that address already.')
    return result
  }
}
