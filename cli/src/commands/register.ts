import { apiAt } from '../lib/api.ts'
import { loginCommand } from '../lib/credentials.ts'
import { pageUrl } from '../lib/pages.ts'
import { profileName } from '../lib/profiles.ts'
import { type Asking, askYesNo, canAsk } from '../lib/prompts.ts'
import { PageCommand } from '../page-command.ts'

export default class Register extends PageCommand {
  static override summary = 'Open an account, in your browser or here.'
  static override description =
    'At a terminal, it offers to ask for everything here, unless the service requires a CAPTCHA that only a browser can show. Otherwise it prints the URL of the page where you register, and opens it if it can. After you have confirmed your address, sign in here: <%= config.bin %> login.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --server https://dns.example.net',
  ]

  async run() {
    const { flags } = await this.parse(Register)
    const server = this.serverOf(flags)
    const url = pageUrl(server, 'register')
    const asking = this.asking(flags)
    const isAsked = !flags.print && !this.jsonEnabled() && canAsk(asking)
    const isDone = isAsked && (await this.#registerHere(server, asking))
    const shown = isDone ? { url, opened: false } : await this.show(url, flags)
    const profile = profileName(flags.profile, process.env)
    this.note(`When you have an account: ${loginCommand(profile, server)}`)
    return shown
  }

  /** Offers to register at the terminal. @returns whether the person did */
  async #registerHere(server: string, asking: Asking): Promise<boolean> {
    const { captchaHere, registerHere } = await import('../lib/registration.ts')
    const api = await apiAt(server, { trace: this.trace })
    const captcha = await captchaHere(api)
    if (captcha === undefined) {
      this.note('This service requires a browser for registration.')
      return false
    }
    if (!(await askYesNo('Register here? Otherwise, your browser opens.'))) return false
    this.note(await registerHere(api, server, asking, captcha))
    return true
  }
}
