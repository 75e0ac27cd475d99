import * as Flags from '@oclif/core/flags'
import { serverFlags } from './account-command.ts'
import { BaseCommand } from './base-command.ts'
import { DEFAULT_SERVER, namedServer, type ServerFlags, serverOf } from './lib/credentials.ts'
import { profileFile, profileName, readProfile } from './lib/profiles.ts'

interface PageFlags extends ServerFlags {
  readonly print: boolean
}

/** A command that opens a page of the service in the browser. It needs no sign-in, and sends no credential. */
export abstract class PageCommand extends BaseCommand {
  static override jsonFields: readonly string[] = ['url', 'opened']
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    ...serverFlags,
    print: Flags.boolean({ description: 'print the URL, and open no browser' }),
  }

  /** The server that the flags, the environment or the profile name. @throws CommandFailure */
  protected serverOf(flags: PageFlags): string {
    const { env } = process
    const named = namedServer(flags, env)
    if (named !== undefined) return named
    const kept = readProfile(profileFile(profileName(flags.profile, env), env))
    return serverOf(flags, kept, env) ?? DEFAULT_SERVER
  }

  /** Prints the URL, and opens it if a person at a terminal can see a browser. */
  protected async show(url: string, { print }: PageFlags) {
    this.print(url)
    const { showPage } = await import('./lib/browser.ts')
    const { opened, message } = await showPage(url, !print && !this.jsonEnabled())
    if (message !== undefined) this.note(message)
    return { url, opened }
  }
}
