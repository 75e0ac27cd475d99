import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { listOf, succeeded } from '../../lib/api.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure, usage } from '../../lib/failure.ts'
import { counted, printable } from '../../lib/text.ts'

export default class SessionsEnd extends AccountCommand {
  static override summary = 'End sessions: sign out elsewhere.'
  static override description =
    'If one of the sessions does not exist, nothing ends. To end the session of this command, use <%= config.bin %> logout.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 12',
    '<%= config.bin %> <%= command.id %> --others',
  ]
  static override jsonFields = ['id', 'ended']
  static override args = {
    ids: Args.string({ description: 'their ids (see homing sessions)', multiple: true }),
  }
  static override flags = {
    others: Flags.boolean({ description: 'all sessions except the one of this command' }),
  }

  async run() {
    const { args, flags } = await this.parse(SessionsEnd)
    const asked = [...new Set(args.ids ?? [])]
    if ((flags.others ?? false) === asked.length > 0)
      throw usage('Give the ids of sessions, or --others.')
    return this.asCaller(flags, async ({ api }) => {
      const all = listOf(await api.GET('/api/me/sessions'), 'id')
      const ids = flags.others
        ? all.filter(({ is_current: isCurrent }) => !isCurrent).map(({ id }) => id)
        : asked.map((id) => requireOther(all, id))
      if (flags.others) succeeded(await api.DELETE('/api/me/sessions'))
      else {
        for (const id of ids) {
          succeeded(await api.DELETE('/api/me/sessions/{id}', { params: { path: { id } } }))
        }
      }
      this.print(ids.join('\n'))
      this.note(`Ended ${counted(ids.length, 'session')}.`)
      return ids.map((id) => ({ id, ended: true }))
    })
  }
}

/** @throws CommandFailure for a session that does not exist, and for the session of the command */
function requireOther(
  all: readonly { readonly id: string; readonly is_current: boolean }[],
  id: string,
): string {
  const found = all.find((session) => session.id === id)
  if (found === undefined) {
    throw new CommandFailure(
      EXIT.notFound,
      `You have no session ${printable(id)}. See homing sessions.`,
    )
  }
  if (found.is_current) throw usage(`${id} is the session of this command. Use homing logout.`)
  return id
}
