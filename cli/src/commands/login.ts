import * as Flags from '@oclif/core/flags'
import { serverFlags } from '../account-command.ts'
import { BaseCommand } from '../base-command.ts'
import { forgetNames } from '../completion/names-cache.ts'
import {
  DEFAULT_SERVER,
  readPassword,
  requireSendable,
  serverOf,
  serverOrigin,
} from '../lib/credentials.ts'
import { usage } from '../lib/failure.ts'
import {
  DEFAULT_PROFILE,
  type Profile,
  profileFile,
  profileName,
  readProfile,
  writeProfile,
} from '../lib/profiles.ts'
import { type Asking, askSecret, askText, canAsk } from '../lib/prompts.ts'
import { endSession, signInByPassword, signInByToken } from '../lib/sign-in.ts'
import { firstLineOfStdin, isPiped, secretOfStdin } from '../lib/stdin.ts'

/** The flags that say how to sign in. */
interface Means {
  readonly username?: string | undefined
  readonly 'password-file'?: string | undefined
  readonly 'with-password-stdin'?: boolean
  readonly 'with-token'?: boolean
  readonly code?: string | undefined
}

export default class Login extends BaseCommand {
  static override summary = 'Sign in, and stay signed in.'
  static override description =
    'At a terminal, it asks for missing input. The session is stored in a file that only you can read. It ends after 30 days without use, after 90 days in any case, or with <%= config.bin %> logout. Secrets are never accepted on the command line, which others can see.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --server https://dns.example.net --profile work',
    'From a script\npass show homing | <%= config.bin %> <%= command.id %> --username ada --with-password-stdin',
    'With an API key\n<%= config.bin %> <%= command.id %> --with-token < pipeline.key',
  ]
  static override usage =
    '<%= command.id %> [--with-token | [--username NAME] [--password-file FILE | --with-password-stdin] [--code CODE]]'
  static override jsonFields = ['server', 'profile', 'credential', 'username', 'plan', 'kept_in']
  static override baseFlags = { ...BaseCommand.baseFlags, ...serverFlags }
  static override flags = {
    username: Flags.string({
      description: 'username or email address',
      helpValue: 'NAME',
      exclusive: ['with-token'],
    }),
    'password-file': Flags.string({
      description: 'file whose first line is the password',
      helpValue: 'FILE',
      exclusive: ['with-password-stdin', 'with-token'],
    }),
    'with-password-stdin': Flags.boolean({
      description: 'read the password from standard input',
      exclusive: ['with-token'],
    }),
    code: Flags.string({
      description: 'code of the second factor, from the app or a recovery code; it works once',
      helpValue: 'CODE',
      exclusive: ['with-token'],
    }),
    'with-token': Flags.boolean({
      description: 'read an API key, or the token of a session, from standard input',
    }),
  }

  async run() {
    const { flags } = await this.parse(Login)
    const { env } = process
    const profile = profileName(flags.profile, env)
    const file = profileFile(profile, env)
    const before = readProfile(file)
    const asking = this.asking(flags)
    const server = await this.#serverFor(serverOf(flags, before, env), asking)
    if (isInTheClear(server)) {
      this.note(`${server} does not use https: others can read what you send.`)
    }
    const signedIn = flags['with-token']
      ? await signInByToken(server, await tokenFrom(asking), this.trace)
      : await signInByPassword(
          server,
          { ...(await credentialsFrom(flags, asking)), code: flags.code },
          { trace: this.trace, asking, note: (line) => this.note(line) },
        )
    try {
      writeProfile(file, signedIn.kept)
    } catch (error) {
      // Nothing else uses the new session, so it ends. A session from standard input may be in use elsewhere.
      if (!flags['with-token']) await endSession(signedIn.kept, this.trace)
      throw error
    }
    forgetNames(profile, env)
    // Nothing uses the previous session any more, unless it is the same one.
    if (before !== undefined && before.token !== signedIn.kept.token) {
      await endSession(before, this.trace)
    }
    this.#tell(signedIn.kept, profile, file, signedIn.plan)
    return {
      server,
      profile,
      credential: signedIn.kept.kind,
      username: signedIn.kept.username,
      plan: signedIn.plan,
      kept_in: file,
    }
  }

  async #serverFor(known: string | undefined, asking: Asking): Promise<string> {
    if (known !== undefined) return known
    // Without prompts, the default is the same as for every other command.
    if (!canAsk(asking)) return DEFAULT_SERVER
    const message = 'Server'
    const answer = await askText(asking, { message, initial: DEFAULT_SERVER, instead: '--server' })
    return serverOrigin(answer, message)
  }

  #tell(kept: Profile, profile: string, file: string, plan: string | undefined): void {
    const who = kept.username === undefined ? 'with an API key' : `as ${kept.username}`
    const withPlan = plan === undefined ? '' : `, plan ${plan}`
    this.note(`Signed in at ${kept.server} ${who}${withPlan}.`)
    this.note(`Stored in ${file}`)
    if ((process.env['HOMING_API_KEY'] ?? '') !== '') {
      this.note(
        `HOMING_API_KEY is set and overrides this sign-in. Unset it, or give --profile ${profile}.`,
      )
    }
    const ofProfile = profile === DEFAULT_PROFILE ? '' : ` --profile ${profile}`
    this.note(`Next: homing domains${ofProfile}`)
  }
}

/** Whether others on the network can read the calls: they do not use TLS, and leave this machine. */
function isInTheClear(server: string): boolean {
  const { protocol, hostname } = new URL(server)
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$|\.localhost$/.test(hostname)
  return protocol === 'http:' && !isHere
}

async function credentialsFrom(means: Means, asking: Asking) {
  const fromStdin = means['with-password-stdin'] === true || means['password-file'] === '-'
  const isInPipe = fromStdin && isPiped()
  if (means.username === undefined && isInPipe) {
    throw usage('Standard input is the password, so give the username: --username NAME.')
  }
  const username =
    means.username ??
    (await askText(asking, { message: 'Username or email address', instead: '--username' }))
  if (isInPipe) return { username, password: await firstLineOfStdin('password') }
  if (means['password-file'] !== undefined && !fromStdin) {
    return { username, password: readPassword(means['password-file']) }
  }
  const instead = '--with-password-stdin'
  return { username, password: await askSecret(asking, { message: 'Password', instead }) }
}

async function tokenFrom(asking: Asking): Promise<string> {
  const token = await secretOfStdin(asking, { what: 'token', message: 'API key' })
  return requireSendable(token.trim(), 'standard input')
}
