import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { findKey, KEY_FIELDS } from '../../lib/keys.ts'

export default class KeysRotate extends AccountCommand {
  static override summary = 'Replace the secret of an API key.'
  static override description =
    'The new secret is printed only once, alone on stdout. The old one stays valid for the overlap, so that clients keep working. If you rotate again, an old secret that is still valid ends.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> pipeline',
    'If it was stolen: end the old secret now\n<%= config.bin %> <%= command.id %> pipeline --overlap-hours 0',
  ]
  static override jsonFields = [...KEY_FIELDS, 'key']
  static override args = {
    key: Args.string({ description: 'its id, name or prefix', required: true }),
  }
  static override flags = {
    'overlap-hours': Flags.integer({
      description: 'how long the old secret stays valid',
      default: 24,
      min: 0,
      max: 720,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(KeysRotate)
    const rotated = await this.asCaller(flags, async ({ api }) => {
      const { id } = await findKey(api, args.key)
      const answer = await api.POST('/api/api-keys/{id}/rotate', {
        params: { path: { id } },
        body: { overlap_hours: flags['overlap-hours'] },
      })
      return bodyOf(answer, 'id', 'key')
    })
    this.print(rotated.key)
    const former = rotated.former_secret
    this.note(
      former
        ? `The old secret, ${former.prefix}…, is valid until ${former.expires_at}.`
        : 'The old secret is no longer valid.',
      'The new one is not shown again.',
    )
    return rotated
  }
}
