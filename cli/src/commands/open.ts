import * as Args from '@oclif/core/args'
import { PAGE_WORDS, pageUrl } from '../lib/pages.ts'
import { PageCommand } from '../page-command.ts'

export default class Open extends PageCommand {
  static override summary = 'Open a page of the service in your browser.'
  static override description = `The pages are ${PAGE_WORDS.join(', ')}. A domain opens the dashboard with this domain. The URL is printed; in a pipe, and where no browser can be opened, that is all.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> keys',
    '<%= config.bin %> <%= command.id %> home.example.net',
  ]
  static override args = {
    thing: Args.string({ description: 'a page, or one of your domains', default: 'dashboard' }),
  }

  async run() {
    const { args, flags } = await this.parse(Open)
    return this.show(pageUrl(this.serverOf(flags), args.thing), flags)
  }
}
