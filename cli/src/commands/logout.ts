import { BaseCommand } from '../base-command.ts'
import { serverFlags } from '../account-command.ts'
import { EXIT } from '../lib/exit-codes.ts'
import { forgetNames } from '../completion/names-cache.ts'
import { loginCommand } from '../lib/credentials.ts'
import { CommandFailure } from '../lib/failure.ts'
import { profileFile, profileName, readProfile, removeProfile } from '../lib/profiles.ts'

export default class Logout extends BaseCommand {
  static override summary = 'Sign out.'
  static override description =
    'Ends the session on the server and deletes it here. An API key is only deleted here and stays valid; <%= config.bin %> keys remove revokes it.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile work',
  ]
  static override jsonFields = ['profile', 'server', 'was_signed_in', 'session_ended']
  static override baseFlags = { ...BaseCommand.baseFlags, profile: serverFlags.profile }

  async run() {
    const { flags } = await this.parse(Logout)
    const profile = profileName(flags.profile, process.env)
    const file = profileFile(profile, process.env)
    const kept = readProfile(file)
    const next = `Next: ${loginCommand(profile)}`
    if (kept === undefined) {
      forgetNames(profile, process.env)
      this.note(`You were not signed in with the profile ${profile}.`, next)
      return { profile, was_signed_in: false, session_ended: false }
    }
    const { endSession } = await import('../lib/sign-in.ts')
    const hasEnded = await endSession(kept, this.trace)
    removeProfile(file)
    // Last: a process in the background writes them only while the profile exists.
    forgetNames(profile, process.env)
    if (kept.kind === 'session' && !hasEnded) {
      throw new CommandFailure(
        EXIT.network,
        `Signed out here, but ${kept.server} did not end the session: it ends after 30 days without use.`,
      )
    }
    this.note(
      kept.kind === 'key'
        ? `The key is deleted here. It is still valid at ${kept.server}.`
        : `Signed out of ${kept.server}.`,
      next,
    )
    return { profile, server: kept.server, was_signed_in: true, session_ended: hasEnded }
  }
}
