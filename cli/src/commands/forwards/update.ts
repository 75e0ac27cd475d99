import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { usage } from '../../lib/failure.ts'
import {
  CHECKING,
  findForward,
  FORWARD_FIELDS,
  settingFlags,
  settingsOf,
} from '../../lib/forwards.ts'
import { fieldLine } from '../../lib/output.ts'

export default class ForwardsUpdate extends AccountCommand {
  static override summary = 'Change the web forward of a domain.'
  static override description =
    'Omitted values stay unchanged. An empty text removes a title, a description or keywords. The domain of a forward cannot change.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net --target https://shop.example.com/sale',
    '<%= config.bin %> <%= command.id %> home --status 308 --no-query',
    'Pause it\n<%= config.bin %> <%= command.id %> home --no-active',
  ]
  static override jsonFields = [...FORWARD_FIELDS, 'warning']
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }
  static override flags = {
    target: Flags.string({ description: 'the new URL or host to forward to', helpValue: 'URL' }),
    ...settingFlags,
    'if-version': Flags.integer({
      description: 'change it only if it still has this version (see forwards show)',
      helpValue: 'NUMBER',
      min: 1,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(ForwardsUpdate)
    const { target, 'if-version': version } = flags
    if (target === undefined && Object.keys(settingsOf(flags)).length === 0) {
      throw usage('Give what to change, such as --target, --status or --no-active.')
    }
    const forward = await this.asCaller(flags, async ({ api }) => {
      const { id, forwarding_type } = await findForward(api, args.name)
      const settings = settingsOf(flags, forwarding_type)
      const change = {
        params: { path: { id } },
        body: { ...(target !== undefined && { target_url: target }), ...settings },
        ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }),
      }
      return bodyOf(
        await this.whileSaying(CHECKING, () => api.PUT('/api/webforward/{id}', change)),
        'id',
        'fqdn',
      )
    })
    this.print(fieldLine([forward.fqdn, forward.target_url]))
    const { warning } = forward
    this.note(warning === undefined ? 'Changed.' : `Changed. Note: ${warning}`)
    return forward
  }
}
