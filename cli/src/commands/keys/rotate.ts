import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { findKey, KEY_FIELDS } from '../../lib/keys.ts'

export default class KeysRotate extends AccountCommand {
  static override summary = 'Give an API key another secret.'
  static override description =
    'The new one is printed this once, alone on stdout. The old one stays good for the overlap, so that nothing stands still meanwhile. Rotating again ends an old one that is left.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> pipeline',
    'It was stolen: end the old secret now\n<%= config.bin %> <%= command.id %> pipeline --overlap-hours 0',
  ]
  static override jsonFields = [...KEY_FIELDS, 'key']
  static override args = {
    key: Args.string({ description: 'its id, name or beginning', required: true }),
  }
  static override flags = {
    'overlap-hours': Flags.integer({
      description: 'how long the old secret stays good',
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
        ? `The old secret, ${former.prefix}…, is good until ${former.expires_at}.`
        : 'The old secret is refused from now on.',
      'The new one is not shown again.',
    )
    return rotated
  }
}
