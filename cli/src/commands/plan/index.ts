import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { facts } from '../../lib/output.ts'
import { PLAN_FIELDS, planFacts, planSentence, readSubscription } from '../../lib/plans.ts'

export default class Plan extends AccountCommand {
  static override summary = 'Show your plan: its state, the next payment, and how much you use.'
  static override aliases = ['plan:show']
  static override description =
    'In a pipe, each line has a fact and its value, separated by a tab. A value that does not apply is empty.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json=plan,status,nextPaymentDue',
  ]
  static override jsonFields = PLAN_FIELDS

  async run() {
    const { flags } = await this.parse(Plan)
    const { me, subscription, usage } = await this.asCaller(flags, async ({ api }) => {
      const [answer, present] = await Promise.all([api.GET('/api/me'), readSubscription(api)])
      const account = bodyOf(answer, 'account_type', 'limits')
      const used = account.limits.abilities.includes('web_forward')
        ? bodyOf(await api.GET('/api/webforward/usage'), 'max_stealth_flags')
        : undefined
      return { me: account, subscription: present, usage: used }
    })
    const { account_type, limits } = me
    this.print(facts(planFacts(me, subscription, usage)))
    this.note(planSentence(account_type, subscription))
    return { account_type, limits, ...subscription }
  }
}
