/**
 * From nothing to a domain that follows its address: a person registers in Chromium, opens the link of the mail, signs in, adds a
 * domain and downloads the configuration of ddclient. The real ddclient runs with it, and the page shows its call. Prints the
 * time of each step, and what a person needs for it by the rule of `support/person.ts`. The goal is two minutes.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { openAsker, questionFor } from './support/dns-question.ts'
import { Person, personSeconds, type Step, TAKES } from './support/person.ts'
import { atMost, print, report, type Row } from './support/report.ts'
import { prepareService, until } from './support/service.ts'
import { launchBrowser } from './support/slow-device.ts'

const USERNAME = 'ada-lovelace'
const EMAIL = 'ada@mail.example'
const PASSWORD = 'correct horse battery'
const LABEL = 'ada-at-home'
const FQDN = `${LABEL}.homing.test`
const LIMIT_SECONDS = 120
/** What a person types into a terminal to put the file in place and to run the client. The benchmark runs it in a folder of its own. */
const COMMANDS = ['sudo mv Downloads/ddclient.conf /etc', 'sudo ddclient -daemon=0']

const run = promisify(execFile)
await using service = await prepareService()
const folder = mkdtempSync(join(tmpdir(), 'homing-two-minutes-'))
service.defer(() => rmSync(folder, { recursive: true, force: true }))
await run(process.execPath, ['api/scripts/migrate.ts'], {
  cwd: new URL('..', import.meta.url),
  env: service.env,
})
service.start('dnsd/src/main.ts')
service.start('api/src/worker.ts')
// As a person meets it: with the CAPTCHA, and with all limits.
await service.startApi({ CAPTCHA_PROVIDER: 'altcha', RATE_LIMITS: 'on' })
const asker = await openAsker(service.dnsPort)
service.defer(() => asker.close())
const browser = await launchBrowser()
service.defer(() => browser.close())
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
const page = await context.newPage()
const person = new Person()

/** The links of mails lead to this host. */
const origin = service.apiUrl.replace('127.0.0.1', 'localhost')
const heading = (of: Page, name: string) => of.getByRole('heading', { level: 1, name })
const button = (name: string) => page.getByRole('button', { name, exact: true })

await person.step('find a domain on the first page', async () => {
  await page.goto(origin)
  await person.reads(page.getByLabel('Find your domain'))
  await person.types(page.getByLabel('Find your domain'), LABEL)
  await person.clicks(button('Register it').first())
})
await person.step('register', async () => {
  await person.reads(page.getByLabel('Username'))
  await person.types(page.getByLabel('Username'), USERNAME)
  await person.types(page.getByLabel('Email'), EMAIL)
  await person.types(page.getByLabel('Password', { exact: true }), PASSWORD)
  await person.clicks(page.getByRole('checkbox'))
  await person.clicks(button('Sign Up'))
  await person.reads(heading(page, 'Check Your Email'))
})
await person.step('open the mail and its link', async () => {
  const mail = await context.newPage()
  const mine = mail.getByRole('link', { name: EMAIL })
  await until('the mail', async () => {
    await mail.goto(`${origin}/dev/mailbox`)
    return mine.isVisible()
  })
  await person.reads(mine)
  await person.clicks(mine)
  const verification = mail.getByRole('link', { name: /verify-email/ })
  await person.reads(verification)
  await person.clicks(verification)
  await heading(mail, 'Sign in').waitFor()
  await mail.close()
})
await person.step('sign in', async () => {
  await person.reads(heading(page, 'Sign in'))
  await person.types(page.getByLabel('Username or email'), USERNAME)
  await person.types(page.getByLabel('Password', { exact: true }), PASSWORD)
  await person.clicks(button('Sign In'))
})
await person.step('add the domain', async () => {
  const dialog = page.getByRole('dialog', { name: 'Add domain' })
  await person.reads(dialog.getByText(FQDN, { exact: true }))
  await person.clicks(dialog.getByRole('button', { name: 'Add Domain' }))
  await person.reads(page.getByRole('dialog', { name: `How to update ${FQDN}` }))
})
const file = join(folder, 'ddclient.conf')
await person.step('create the token, and download the configuration', async () => {
  await person.clicks(button('Create Update Token'))
  await person.clicks(button('ddclient'))
  const download = page.getByRole('button', { name: 'Download ddclient.conf' })
  await person.reads(download)
  const saved = page.waitForEvent('download')
  await person.clicks(download)
  await (await saved).saveAs(file)
})
await person.step('run ddclient, and see its call', async () => {
  person.typesElsewhere(...COMMANDS)
  await run('chmod', ['600', file])
  const { stdout, stderr } = await run('ddclient', [
    '-daemon=0',
    '-noquiet',
    '-verbose',
    `-file=${file}`,
    `-cache=${join(folder, 'cache')}`,
  ])
  if (!/good: IP address set to/.test(stdout + stderr)) throw new Error(stdout + stderr)
  await person.reads(page.getByText(/^Received .*client ddclient.*answered good/))
})
await person.step('close the dialog: the table shows the address', async () => {
  await person.clicks(button("I've Saved the Token"))
  const row = page.getByRole('row').filter({ hasText: FQDN }).filter({ hasText: '127.0.0.1' })
  await person.reads(row.first())
})
const dnsAnswer = await asker.ask(questionFor(FQDN))
if (dnsAnswer !== '127.0.0.1') throw new Error(`DNS answers ${dnsAnswer}`)

const sum = (of: (step: Step) => number) =>
  person.steps.reduce((total, each) => total + of(each), 0)
const machineSeconds = sum(({ machineMs }) => machineMs / 1_000)
const wholeSeconds = machineSeconds + sum(personSeconds)
const rows: Row[] = person.steps.map((step) => ({
  what: `${step.name} (${step.clicks} clicks, ${step.characters} characters, ${step.screens} screens)`,
  value: step.machineMs / 1_000,
  unit: `s + ${personSeconds(step).toFixed(0)} s of the person`,
}))
print(
  `\nA person takes ${TAKES.screen} s to read a screen, ${TAKES.click} s for a click and ${TAKES.character} s for a character.`,
)
report(
  'two-minutes',
  [
    ...rows,
    { what: 'clicks', value: sum(({ clicks }) => clicks), unit: '' },
    { what: 'typed characters', value: sum(({ characters }) => characters), unit: '' },
    { what: 'browser, network and service', value: machineSeconds, unit: 's' },
    { what: 'the whole way, with the person', value: wholeSeconds, unit: 's' },
  ],
  [atMost('from the first page to the live domain, s', wholeSeconds, LIMIT_SECONDS)],
)
