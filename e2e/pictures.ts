/// <reference lib="dom" />
/**
 * Takes the pictures of docs/images from the present build: `node e2e/pictures.ts`, after a change of a screen. It starts the
 * service with domains of an example household, whose routers and programs send real update calls.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type Account, registerAccount } from './support/accounts.ts'
import { buildScreen, DESKTOP, launchBrowser, PHONE } from './support/browser.ts'
import { furnish, PROXY, ZONE } from './support/example-household.ts'
import { ROOT, startStack, temporaryDataDir } from './support/stack.ts'

const PUBLIC_URL = `http://dyn.${ZONE}`
const FOLDER = join(ROOT, 'docs/images')

const paste = async (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(event)
  }, text)

interface View {
  readonly name: string
  readonly hash: string
  readonly size?: typeof DESKTOP
  readonly scheme?: 'dark'
  /** What the user did before the picture. */
  readonly act?: (page: Page) => Promise<unknown>
}

const views = (ids: ReadonlyMap<string, string>): readonly View[] => {
  const dialog = (name: string, label: string) => `#dashboard?dialog=${name}&id=${ids.get(label)}`
  return [
    { name: 'dashboard', hash: '#dashboard' },
    { name: 'dashboard-phone', hash: '#dashboard', size: PHONE, scheme: 'dark' },
    { name: 'search', hash: '#dashboard?q=tag%3Afamily' },
    {
      name: 'add-domain',
      hash: '#dashboard?dialog=add',
      act: async (page) => {
        await page.getByLabel('Subdomain').fill('home')
        await page.getByRole('group', { name: 'Available domains' }).waitFor()
      },
    },
    {
      name: 'add-domains',
      hash: '#dashboard?dialog=add',
      act: async (page) => {
        await page.getByLabel('Subdomain').focus()
        await paste(page, 'study 203.0.113.9\nhome 203.0.113.9\nattic')
        await page
          .getByText(/is already/)
          .first()
          .waitFor()
      },
    },
    {
      name: 'how-to-update',
      hash: dialog('how-to', 'home'),
      act: async (page) => {
        await page.getByRole('button', { name: 'Create Update Token' }).click()
        await page.getByRole('button', { name: 'FRITZ!Box' }).click()
      },
    },
    { name: 'wildcard', hash: dialog('wildcard', 'home') },
    { name: 'domain', hash: `#domain/home.${ZONE}` },
    { name: 'history', hash: `#domain/home.${ZONE}?tab=history` },
    { name: 'update-calls', hash: `#domain/nas.${ZONE}?tab=calls` },
    {
      name: 'palette',
      hash: '#dashboard',
      act: async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: /^Search actions/ }).fill('ca')
        await page.getByRole('option', { name: /^cabin/ }).waitFor()
      },
    },
    { name: 'api-keys', hash: '#settings/api-keys' },
  ]
}

async function take(browser: Browser, account: Account, view: View): Promise<void> {
  const { name, hash, size = DESKTOP, scheme = 'light', act } = view
  const context = await browser.newContext({
    baseURL: PUBLIC_URL,
    viewport: size,
    colorScheme: scheme,
  })
  await context.addCookies([{ name: 'homing_session', value: account.token, url: PUBLIC_URL }])
  const page = await context.newPage()
  await page.goto(`/${hash}`)
  await page.waitForLoadState('networkidle')
  await act?.(page)
  await page.waitForLoadState('networkidle')
  await page.screenshot({
    path: join(FOLDER, `${name}.png`),
    animations: 'disabled',
    caret: 'hide',
  })
  await context.close()
}

mkdirSync(FOLDER, { recursive: true })
for (const room of ['dashboard', 'admin'] as const) buildScreen(room)
const folder = temporaryDataDir()
const stack = await startStack({
  dataDir: folder.path,
  env: { RATE_LIMITS: 'off', ZONES: ZONE, TRUST_PROXY: PROXY, PUBLIC_URL },
})
// Pictures show the public URL.
const browser = await launchBrowser(
  `--host-resolver-rules=MAP ${new URL(PUBLIC_URL).host} ${new URL(stack.url).host}`,
)
try {
  const account = await registerAccount(stack, 'ada')
  const ids = await furnish(stack, account)
  for (const view of views(ids)) await take(browser, account, view)
} finally {
  await browser.close()
  await stack.stop()
  folder.remove()
}
