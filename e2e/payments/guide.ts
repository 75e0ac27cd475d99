/** Runs the commands of the guides to plans and to payments, as a customer and an operator do. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { type Account, registerAccount } from '../support/accounts.ts'
import { followStep, type Reader, runAs } from '../support/follow-guide.ts'
import { guideSteps } from '../support/guide.ts'
import type { Shop } from '../support/payments.ts'
import { eventually, ROOT, type Stack, temporaryDataDir } from '../support/stack.ts'
import { embeddedUrl } from '../support/tables.ts'

const USERNAME = 'guido'
/** The sections with commands, in their order. The second part is read by a customer who has paid. */
const FREE_SECTIONS = ['Plans and payments', 'Buy a plan'] as const
const PAID_SECTIONS = [
  'Change your plan',
  'Cancel and resume',
  'When a payment fails',
  'Invoices',
  'Get your money back',
  'By API',
] as const

export function testGuides(shop: () => Shop): void {
  describe('the guides to plans and payments', needs('curl'), () => {
    const home = temporaryDataDir()
    let stack: Stack
    let guido: Account
    let reader: Reader

    beforeAll(async () => {
      stack = shop().stack
      guido = await registerAccount(stack, USERNAME)
      const env = { SERVICE: stack.url, TOKEN: guido.token }
      reader = { home: home.path, env, own: async (text) => text }
      writeFileSync(join(home.path, 'password'), `${guido.password}\n`, { mode: 0o600 })
      const login = `homing login --server ${stack.url} --username ${USERNAME} --password-file password`
      await runAs(reader, login)
    })
    afterAll(() => home.remove())

    const stepsOf = (heading: string) =>
      heading === 'Plans and payments'
        ? guideSteps('plans.md').slice(0, 1)
        : guideSteps('plans.md', heading)

    async function follow(headings: readonly string[]): Promise<void> {
      for (const heading of headings) {
        const steps = stepsOf(heading)
        expect(steps.length).toBeGreaterThan(0)
        for (const step of steps) await followStep(reader, step)
      }
    }

    test('a free customer follows the guide to plans, buys, and follows the rest', async () => {
      await follow(FREE_SECTIONS)
      const body = { plan: 'pro', billing: 'annual' } as const
      const { data } = await guido.api.POST('/api/create-checkout-session', { body })
      await shop().payments.stripe.pay(data?.checkoutUrl ?? '')
      const current = async () => guido.api.GET('/api/subscription/current')
      await eventually(current, (answer) => answer.data?.status === 'active')
      await follow(PAID_SECTIONS)
      expect((await current()).data?.hasSubscription).toBe(false)
    })

    test('no command of the guide to plans is left out', () => {
      const followed = [...FREE_SECTIONS, ...PAID_SECTIONS].flatMap(stepsOf)
      const all = guideSteps('plans.md')
      expect(followed).toHaveLength(all.length)
      expect(new Set(followed.map(({ commands }) => commands))).toEqual(
        new Set(all.map(({ commands }) => commands)),
      )
    })

    test('the operator creates products and prices, and again without an effect', async () => {
      const steps = guideSteps('payments.md')
      expect(steps.map(({ commands }) => commands)).toEqual(['npm run payments:setup\n'])
      const { payments } = shop()
      const { NODE_OPTIONS: _clock, ...env } = payments.env
      const setUp = async () =>
        promisify(execFile)('bash', ['-euc', steps[0]?.commands ?? ''], {
          cwd: ROOT,
          env: { ...process.env, ...env, DATABASE_URL: embeddedUrl(stack.dataDir) },
        })
      await setUp()
      const prices = () => payments.stripe.world.all('price').map(({ lookup_key }) => lookup_key)
      const first = prices()
      expect(new Set(first)).toEqual(
        new Set([
          'price_elite_annual',
          'price_elite_monthly',
          'price_pro_annual',
          'price_pro_monthly',
        ]),
      )
      expect(first).toHaveLength(4)
      await setUp()
      expect(prices()).toEqual(first)
    })
  })
}
