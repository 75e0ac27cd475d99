import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../account-command.ts'
import { byFamily } from '../lib/addresses.ts'
import { type AccountFlags, accountFrom } from '../lib/credentials.ts'
import { fieldLine } from '../lib/output.ts'
import type { UpdateResult } from '../lib/update-answer.ts'

export default class Update extends AccountCommand {
  static override summary = 'Tell the service the address of a name, as a router does.'
  static override description =
    'Without --ip the name gets the address that the request comes from. A family that is not mentioned is kept. An update token of the name goes as HOMING_API_KEY or as the password.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home.example.net --ip 198.51.100.7',
    '<%= config.bin %> <%= command.id %> home.example.net --ip 198.51.100.7,2001:db8::7 --json',
  ]
  static override jsonFields = ['name', 'changed', 'addresses']
  static override args = {
    name: Args.string({
      description: 'the whole name; signed in with a session, a short one will do',
      required: true,
    }),
  }
  static override flags = {
    ip: Flags.string({
      description: 'its address, or one of each family with a comma between them',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ADDRESS',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(Update)
    const { record_ipv4, record_ipv6 } = byFamily(flags.ip ?? [])
    const addresses = [record_ipv4, record_ipv6].filter((address) => typeof address === 'string')
    const result = await this.#update(flags, args.name, addresses)
    this.print(fieldLine([result.name, ...result.addresses]))
    const verb = result.changed ? 'Changed' : 'It had that address already'
    this.note(`${verb}.`, `Next: homing domains show ${result.name}`)
    return result
  }

  /** A session is no credential of the update protocol: it changes the domain instead. */
  async #update(flags: AccountFlags, name: string, addresses: string[]): Promise<UpdateResult> {
    const account = await accountFrom(flags)
    if (account.credentials.kind === 'session') {
      const { updateBySession } = await import('../lib/update-by-session.ts')
      return this.asCaller(flags, ({ api }) => updateBySession(api, name, addresses))
    }
    const { updateAsRouter } = await import('../lib/update-as-router.ts')
    return updateAsRouter(account.server, account.credentials, { name, addresses }, this.trace)
  }
}
