/// <reference lib="dom" />
/** The live stream of the dashboard: one for all tabs, which ends with the session. */
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { PHONE } from './support/browser.ts'
import { picture, rowOf, useSharedDashboard } from './support/dashboard.ts'
import type { Page } from 'playwright-core'

const NAME = 'live-nas.homing.test'

describe('the live stream', needs('chromium'), () => {
  const world = useSharedDashboard()
  let ada: Account
  beforeAll(async () => {
    ada = await registerAccount(world().stack, 'live-ada')
    await addNames(ada, [NAME])
  })

  /** What a router does. */
  async function update(address: string): Promise<void> {
    const basic = Buffer.from(`${ada.username}:${ada.password}`).toString('base64')
    const url = `${world().stack.url}/nic/update?hostname=${NAME}&myip=${address}`
    const answer = await fetch(url, { headers: { authorization: `Basic ${basic}` } })
    expect(await answer.text()).toBe(`good ${address}\n`)
  }
  const shown = (page: Page, address: string) =>
    rowOf(page, NAME).filter({ hasText: address }).waitFor()
  const live = (page: Page) => page.getByText(/^Live · /).waitFor()

  test('shows an update in every tab over one stream, and another tab takes over', async () => {
    const watched = await world().openFor(ada)
    const { page } = watched
    await live(page)
    const second = await page.context().newPage()
    let streams = 0
    second.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/stream') streams += 1
    })
    await second.goto('/#dashboard')
    await live(second)
    expect(streams).toBe(0)
    await update('192.0.2.21')
    await Promise.all([shown(page, '192.0.2.21'), shown(second, '192.0.2.21')])
    await picture(page, 'live-1280')
    await page.emulateMedia({ colorScheme: 'dark' })
    await picture(page, 'live-1280-dark')
    await page.close()
    await expect.poll(() => streams).toBe(1)
    await live(second)
    await update('192.0.2.22')
    await shown(second, '192.0.2.22')
    await watched.close()
  })

  test('keeps typed text, and ends with the session', async () => {
    const watched = await world().openFor(ada, { viewport: PHONE, colorScheme: 'dark' })
    const { page } = watched
    await live(page)
    await picture(page, 'live-390-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await picture(page, 'live-390')
    await page.getByRole('searchbox').pressSequentially('live')
    await update('192.0.2.23')
    await shown(page, '192.0.2.23')
    expect(await page.getByRole('searchbox').inputValue()).toBe('live')
    watched.expectStatus(/^\/api\//, 401)
    await page.context().request.post('/api/logout', { headers: { origin: world().stack.url } })
    await page.getByText('Your session has ended.').waitFor()
    await watched.close()
  })
})
