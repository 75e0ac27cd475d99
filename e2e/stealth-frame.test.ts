/** The frame of a stealth forward in Chromium: its target redirects to another origin, and a link leads to a third one. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, registerAccount } from './support/accounts.ts'
import { launchBrowser, Pages } from './support/browser.ts'
import { addForward, makePro, startTarget, type Target, visit } from './support/forwards.ts'
import { eventually } from './support/stack.ts'

const HOST = 'home-of-orla.homing.test'
const stack = inject('sharedService')

describe('the frame of a stealth forward', needs('chromium', 'curl'), () => {
  let browser: Browser
  let checkout: Target
  let shop: Target
  let entrance: Target
  let orla: Account

  beforeAll(async () => {
    const page = (body: string) => `<!doctype html><title>Target</title>${body}`
    checkout = await startTarget((_request, response) => response.end(page('<h1>Checkout</h1>')))
    const link = page(`<a href="${checkout.url}/pay">Pay</a>`)
    shop = await startTarget((_request, response) => response.end(link))
    entrance = await startTarget(({ url = '' }, response) =>
      response.writeHead(302, { location: `${shop.url}${url}` }).end(),
    )
    orla = await registerAccount(stack, 'orla')
    await makePro(stack, orla)
    browser = await launchBrowser(`--host-resolver-rules=MAP ${HOST} 127.0.0.1`)
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([entrance, shop, checkout].map((target) => target?.stop()))
  })

  test('follows redirects and links to other origins', async () => {
    const settings = { target_url: entrance.url, forwarding_type: 'stealth' } as const
    expect(await addForward(orla, HOST, settings)).toMatchObject({
      fallback: null,
      check_result: { frames: 'allowed' },
    })
    await eventually(
      () => visit(stack, HOST),
      ({ status }) => status === 200,
    )
    const baseURL = `http://${HOST}:${stack.forwardPort}`
    const watched = await new Pages(browser).open({ baseURL, isFresh: true })
    const { page } = watched
    await page.goto('/shoes')
    const frame = page.frameLocator('iframe')
    await frame.getByRole('link', { name: 'Pay' }).click()
    await frame.getByRole('heading', { name: 'Checkout' }).waitFor()
    expect(page.frames().map((each) => each.url())).toEqual([
      `${baseURL}/shoes`,
      `${checkout.url}/pay`,
    ])
    await watched.close()
  })
})
