import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { findDomain } from '../../lib/domains.ts'
import { CHECKING, FORWARD_FIELDS, settingFlags, settingsOf } from '../../lib/forwards.ts'
import { sendOnce } from '../../lib/once.ts'
import { fieldLine } from '../../lib/output.ts'

export default class ForwardsAdd extends AccountCommand {
  static override summary = 'Forward visitors of a domain to another URL.'
  static override description =
    'A redirect sends the browser to the target. A stealth forward shows the target in a frame and uses a stealth flag of your plan. Not every plan has web forwards. While you try a redirect, use --status 302: browsers keep 301.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net https://shop.example.com/start --status 302',
    '<%= config.bin %> <%= command.id %> home shop.example.com --stealth --title "My shop"',
  ]
  static override jsonFields = [...FORWARD_FIELDS, 'warning']
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
    target: Args.string({ description: 'the URL or host to forward to', required: true }),
  }
  static override flags = settingFlags

  async run() {
    const { args, flags } = await this.parse(ForwardsAdd)
    const settings = settingsOf(flags, 'redirect')
    const forward = await this.asCaller(flags, async ({ api }) => {
      const { id } = await findDomain(api, args.name)
      const body = { domain_id: id, target_url: args.target, ...settings }
      return bodyOf(
        await this.whileSaying(CHECKING, () =>
          sendOnce((headers) => api.POST('/api/webforward', { body, headers })),
        ),
        'id',
        'fqdn',
      )
    })
    this.print(fieldLine([forward.fqdn, forward.target_url]))
    const { warning } = forward
    this.note(
      warning === undefined ? 'Forwarded.' : `Forwarded. Note: ${warning}`,
      `Next: homing forwards show ${forward.fqdn}`,
    )
    return forward
  }
}
