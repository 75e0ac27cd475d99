import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../account-command.ts'
import { byFamily } from '../lib/addresses.ts'
import type { AccountFlags } from '../lib/credentials.ts'
import { usage } from '../lib/failure.ts'
import { fieldLine } from '../lib/output.ts'
import type { UpdateResult } from '../lib/update-answer.ts'

export default class Update extends AccountCommand {
  static override summary = 'Update the address of a domain, as a router does.'
  static override description =
    'Without --ip, the domain gets the address that the request comes from. An address family that you do not give stays unchanged. Give an update token of the domain as HOMING_API_KEY or as the password.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home.example.net --ip 198.51.100.7',
    '<%= config.bin %> <%= command.id %> home.example.net --ip 198.51.100.7,2001:db8::7 --json',
  ]
  static override jsonFields = ['name', 'changed', 'addresses']
  static override args = {
    name: Args.string({
      description: 'the full domain; with a session, its first label is enough',
      required: true,
    }),
  }
  static override flags = {
    ip: Flags.string({
      description: 'its address, or one per family, separated by a comma',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ADDRESS',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(Update)
    // The protocol would update each of these domains, but the result is about one.
    if (args.name.includes(',')) {
      throw usage('homing update takes one domain. Run it once for each.')
    }
    const { record_ipv4, record_ipv6 } = byFamily(flags.ip ?? [])
    const addresses = [record_ipv4, record_ipv6].filter((address) => typeof address === 'string')
    const result = await this.#update(flags, args.name, addresses)
    this.print(fieldLine([result.name, ...result.addresses]))
    const outcome = result.changed ? 'Changed.' : 'The domain already had this address.'
    this.note(outcome, `Next: homing domains show ${result.name}`)
    return result
  }

  /** The update protocol does not accept a session, so a session changes the domain by the API. */
  async #update(flags: AccountFlags, name: string, addresses: string[]): Promise<UpdateResult> {
    const account = await this.accountOf(flags)
    if (account.credentials.kind === 'session') {
      const { updateBySession } = await import('../lib/update-by-session.ts')
      return this.asCaller(flags, ({ api }) => updateBySession(api, name, addresses))
    }
    const { updateAsRouter } = await import('../lib/update-as-router.ts')
    return updateAsRouter(account.server, account.credentials, { name, addresses }, this.trace)
  }
}
