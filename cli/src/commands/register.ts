import { loginCommand } from '../lib/credentials.ts'
import { pageUrl } from '../lib/pages.ts'
import { profileName } from '../lib/profiles.ts'
import { PageCommand } from '../page-command.ts'

export default class Register extends PageCommand {
  static override summary = 'Open an account, in your browser.'
  static override description =
    'Prints the URL of the page where you register, and opens it if it can. On a machine without a browser, open the URL elsewhere. After you have confirmed your address, sign in here: <%= config.bin %> login.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --server https://dns.example.net',
  ]

  async run() {
    const { flags } = await this.parse(Register)
    const server = this.serverOf(flags)
    const shown = await this.show(pageUrl(server, 'register'), flags)
    const profile = profileName(flags.profile, process.env)
    this.note(`When you have an account: ${loginCommand(profile, server)}`)
    return shown
  }
}
