import type { components } from '@homing/openapi/client'
import type { ApiClient } from '../../lib/client.ts'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { setTimeout as delay } from 'node:timers/promises'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf, listOf } from '../../lib/api.ts'
import { showPage } from '../../lib/browser.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure, usage } from '../../lib/failure.ts'
import { sendOnce } from '../../lib/once.ts'
import { facts } from '../../lib/output.ts'
import { requireWebUrl } from '../../lib/pages.ts'
import {
  billingOf,
  buyMessage,
  changeQuestion,
  checkoutFacts,
  hasChosen,
  previewFacts,
  requirePlan,
} from '../../lib/plan-change.ts'
import { untilChosen } from '../../lib/plan-wait.ts'
import { type Choice, choiceName, readSubscription, type Subscription } from '../../lib/plans.ts'
import { requireLeave } from '../../lib/removal.ts'
import { printable } from '../../lib/text.ts'
import { lengthMs } from '../../lib/times.ts'

type Preview = components['schemas']['PlanChangePreview']

interface ChangeFlags {
  readonly paypal: boolean
  readonly card: boolean
  readonly wait: boolean
  readonly timeout: string
  readonly 'dry-run': boolean
  readonly yes?: boolean
  readonly 'no-input'?: boolean
}

/** What the command reports. `preview` is null for a new subscription. */
interface Changed {
  readonly message: string
  readonly checkoutUrl: string | null
  readonly preview: Preview | null
}

const WAITING = 'Waiting for the payment. Press Ctrl-C to stop; the payment continues…'

export default class PlanChange extends AccountCommand {
  static override summary = 'Buy a plan, or change it.'
  static override description = `The command first shows what the change costs and which domains it affects, and asks. A larger plan begins at once, and unused time is credited. A smaller plan, and monthly instead of annual payment, begin with the next period. If you must pay or confirm in the browser, the command opens the page of the payment provider, or prints its URL, and waits until the plan is active. With --json it does not wait. It exits with ${EXIT.failed} if the payment does not arrive in time.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> pro --annual',
    '<%= config.bin %> <%= command.id %> elite --dry-run',
    '<%= config.bin %> <%= command.id %> pro --monthly --paypal --no-wait',
  ]
  static override jsonFields = ['message', 'checkoutUrl', 'preview', 'plan', 'billing']
  static override args = {
    plan: Args.string({ description: 'the plan: pro or elite', required: true }),
  }
  static override flags = {
    monthly: Flags.boolean({ description: 'pay each month', exclusive: ['annual'] }),
    annual: Flags.boolean({ description: 'pay each year' }),
    paypal: Flags.boolean({
      description:
        'pay with PayPal: a new subscription, or one that follows a cancelled one by card',
      exclusive: ['card'],
    }),
    card: Flags.boolean({
      description: 'pay by card: a new subscription, or one that follows a cancelled one at PayPal',
    }),
    'dry-run': Flags.boolean({ description: 'show what would happen, and change nothing' }),
    wait: Flags.boolean({
      description: 'wait until a payment in the browser has arrived',
      default: true,
      allowNo: true,
    }),
    timeout: Flags.string({
      description: 'how long to wait, such as 10m, 2h or 1d',
      helpValue: 'LENGTH',
      default: '30m',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(PlanChange)
    const plan = requirePlan(args.plan)
    const limitMs = lengthMs('--timeout', flags.timeout)
    return this.asCaller(flags, async ({ api }) => {
      const present = await readSubscription(api)
      const choice: Choice = { plan, billing: billingOf(flags, present.interval) }
      // A subscription that does not renew can be followed by one at the other provider.
      const other = flags.paypal ? 'stripe' : 'paypal'
      const isSwitch =
        (flags.paypal || flags.card) && present.status === 'canceled' && present.provider === other
      const changed =
        present.hasSubscription && !isSwitch
          ? await this.#change(api, flags, choice, present)
          : await this.#buy(api, flags, choice, present)
      await this.#follow(api, flags, { choice, changed, limitMs, isLater: isSwitch })
      return { ...changed, ...choice }
    })
  }

  /** Changes the subscription, after a preview. */
  async #change(
    api: ApiClient,
    flags: ChangeFlags,
    choice: Choice,
    present: Subscription,
  ): Promise<Changed> {
    const wanted = flags.paypal ? 'paypal' : flags.card ? 'stripe' : present.provider
    if (wanted !== present.provider) {
      throw usage(
        `--${flags.paypal ? 'paypal' : 'card'} is for a new subscription. To switch, cancel yours first: homing plan cancel`,
      )
    }
    const unchanged = { message: `Nothing changes: ${choiceName(choice)}.`, checkoutUrl: null }
    if (hasChosen(present, choice)) return { ...unchanged, preview: null }
    const answer = await api.GET('/api/payments/change-plan/preview', { params: { query: choice } })
    const preview = bodyOf(answer, 'takesEffect', 'currency')
    // The choice of the present plan takes a pending change back.
    if (preview.kind === 'unchanged' && present.pendingChange === null) {
      return { ...unchanged, preview }
    }
    this.print(facts(previewFacts(choice, preview)))
    if (flags['dry-run']) return { message: 'Nothing was changed.', checkoutUrl: null, preview }
    const question = changeQuestion(choice, preview)
    await requireLeave(this.asking(flags), flags, question, 'Nothing was changed.')
    const { message, checkoutUrl } = bodyOf(
      await sendOnce((headers) => api.POST('/api/payments/change-plan', { body: choice, headers })),
      'message',
    )
    return {
      message,
      checkoutUrl: checkoutUrl === null ? null : requireWebUrl(checkoutUrl),
      preview,
    }
  }

  /** Begins a checkout. Nothing is charged before the person pays in the browser. */
  async #buy(
    api: ApiClient,
    flags: ChangeFlags,
    choice: Choice,
    { canUse, hasSubscription, endsAt }: Subscription,
  ): Promise<Changed> {
    const begins = hasSubscription ? endsAt : null
    const offers = listOf(await api.GET('/api/plans'), 'id')
    this.print(
      facts(
        checkoutFacts(
          choice,
          offers.find(({ id }) => id === choice.plan),
          begins,
        ),
      ),
    )
    if (flags['dry-run']) {
      return { message: 'Nothing was bought.', checkoutUrl: null, preview: null }
    }
    const isPaypal = flags.paypal || (!flags.card && !canUse.card && canUse.paypal)
    const provider = isPaypal ? 'paypal' : 'stripe'
    const answer = await sendOnce((headers) =>
      api.POST('/api/payments/create-checkout-session', { body: { ...choice, provider }, headers }),
    )
    const { checkoutUrl, approvalUrl } = bodyOf(answer)
    return {
      message: buyMessage(begins),
      checkoutUrl: requireWebUrl(approvalUrl ?? checkoutUrl),
      preview: null,
    }
  }

  /** Shows the page of the provider, if there is one, and waits for the payment, unless it is due later. @throws CommandFailure */
  async #follow(
    api: ApiClient,
    flags: ChangeFlags,
    {
      choice,
      changed,
      limitMs,
      isLater,
    }: { choice: Choice; changed: Changed; limitMs: number; isLater: boolean },
  ): Promise<void> {
    const { message, checkoutUrl } = changed
    this.note(printable(message))
    if (checkoutUrl === null || this.jsonEnabled()) return
    this.print(checkoutUrl)
    const page = await showPage(checkoutUrl, true)
    if (page.message !== undefined) this.note(page.message)
    if (!flags.wait || isLater) return
    const found = await untilChosen({
      choice,
      read: () => readSubscription(api),
      until: Date.now() + limitMs,
      pause: (milliseconds) => this.whileSaying(WAITING, () => delay(milliseconds)),
    })
    if (found === undefined) {
      throw new CommandFailure(
        EXIT.failed,
        'The payment has not arrived yet. The plan begins when it does. See homing plan.',
      )
    }
    this.note(`Done: ${choiceName(choice)}. Next: homing plan`)
  }
}
