import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { facts } from '../../lib/output.ts'

export default class TwoFactorStatus extends AccountCommand {
  static override summary = 'Show whether signing in requires a second factor, and which you have.'
  static override description =
    'Authenticator apps and passkeys are set up in a browser: <%= config.bin %> open two-factor.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json=is_on,recovery_codes_left',
  ]
  static override jsonFields = ['is_on', 'methods', 'totp_since', 'passkeys', 'recovery_codes_left']

  async run() {
    const { flags } = await this.parse(TwoFactorStatus)
    const status = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.GET('/api/me/second-factors'), 'is_on', 'methods'),
    )
    this.print(
      facts([
        ['second factor', status.is_on ? 'on' : 'off'],
        ['app since', status.totp_since],
        ['passkeys', status.passkeys],
        ['recovery codes', status.recovery_codes_left],
      ]),
    )
    if (!status.is_on) this.note('Turn it on: homing open two-factor')
    else if (status.recovery_codes_left < FEW_CODES) {
      this.note('Few recovery codes are left. Create new ones: homing open two-factor')
    }
    return status
  }
}

const FEW_CODES = 3
