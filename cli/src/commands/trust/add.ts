import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { scopeFlags, scopeOf } from '../../lib/key-scope.ts'
import { issuerOf, TRUST_FIELDS } from '../../lib/trust.ts'

export default class TrustAdd extends AccountCommand {
  static override summary = 'Trust a pipeline.'
  static override description =
    'The pipeline presents a token of its issuer and gets a key for 15 minutes, so it stores no secret. Name a protected branch: anyone who can push can change a pipeline.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> deploy --issuer github --repository ada/home --branch main --domain home.example.net',
    '<%= config.bin %> <%= command.id %> deploy --issuer https://ci.example.net --subject job:7',
  ]
  static override jsonFields = TRUST_FIELDS
  static override args = {
    name: Args.string({ description: 'a name that says what it is for', required: true }),
  }
  static override flags = {
    issuer: Flags.string({
      description: 'the issuer of its tokens: github, gitlab, or a URL',
      helpValue: 'URL',
      required: true,
    }),
    repository: Flags.string({
      description: 'its repository or project',
      helpValue: 'OWNER/NAME',
    }),
    'repository-id': Flags.string({
      description: 'the id of its repository, which is never reused',
      helpValue: 'ID',
    }),
    'repository-owner-id': Flags.string({
      description: 'the id of the owner of the repository',
      helpValue: 'ID',
    }),
    branch: Flags.string({ description: 'the branch that it runs for' }),
    environment: Flags.string({ description: 'the environment that it deploys to' }),
    subject: Flags.string({ description: 'its full claim sub, for issuers without repositories' }),
    ...scopeFlags,
  }

  async run() {
    const { args, flags } = await this.parse(TrustAdd)
    const { repository, branch, environment, subject } = flags
    const body = {
      name: args.name,
      issuer: issuerOf(flags.issuer),
      ...(repository !== undefined && { repository }),
      ...(flags['repository-id'] !== undefined && { repository_id: flags['repository-id'] }),
      ...(flags['repository-owner-id'] !== undefined && {
        repository_owner_id: flags['repository-owner-id'],
      }),
      ...(branch !== undefined && { branch }),
      ...(environment !== undefined && { environment }),
      ...(subject !== undefined && { subject }),
      ...scopeOf(flags),
    }
    const made = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.POST('/api/trust-policies/', { body }), 'id', 'audience'),
    )
    this.print(made.id)
    this.note(
      `The pipeline must request a token for the audience ${made.audience}.`,
      `In the pipeline: homing trust exchange ${made.id}, with the token on standard input`,
    )
    return made
  }
}
