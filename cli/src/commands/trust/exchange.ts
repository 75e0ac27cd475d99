import * as Args from '@oclif/core/args'
import { serverFlags } from '../../account-command.ts'
import { BaseCommand } from '../../base-command.ts'
import { apiAt, bodyOf } from '../../lib/api.ts'
import { DEFAULT_SERVER, namedServer } from '../../lib/credentials.ts'
import { secretOfStdin } from '../../lib/stdin.ts'

export default class TrustExchange extends BaseCommand {
  static override summary = 'Exchange the token of a pipeline for a key.'
  static override description =
    'Reads the token from standard input. Prints only the key on stdout. It is valid for 15 minutes.'
  static override examples = [
    'On GitLab, with id_tokens\nexport HOMING_API_KEY=$(echo "$HOMING_TOKEN" | <%= config.bin %> <%= command.id %> 5)',
  ]
  static override jsonFields = ['key', 'expires_at', 'scope']
  static override baseFlags = { ...BaseCommand.baseFlags, server: serverFlags.server }
  static override args = {
    id: Args.string({ description: 'the id of the trust policy', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(TrustExchange)
    const server = namedServer({ server: flags.server }, process.env) ?? DEFAULT_SERVER
    const token = await secretOfStdin(this.asking(flags), { what: 'token', message: 'Token' })
    const api = await apiAt(server, { trace: this.trace })
    const answer = await api.POST('/api/trust-policies/{id}/exchange', {
      params: { path: { id: args.id } },
      body: { token },
    })
    const exchanged = bodyOf(answer, 'key', 'expires_at')
    this.print(exchanged.key)
    this.note(`Valid until ${exchanged.expires_at}.`)
    return exchanged
  }
}
