import Login from '../login.ts'

export default class AccountUndelete extends Login {
  static override summary = 'Keep an account that you asked to delete, by signing in.'
  static override description =
    'The service has no other way to keep the account: signing in within the 14 days cancels the deletion. This command is the same as <%= config.bin %> login.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --server https://dns.example.net --username ada',
  ]

  override async run() {
    const signedIn = await super.run()
    this.note('Your account is not deleted. If a deletion was due, it is cancelled.')
    return signedIn
  }
}
