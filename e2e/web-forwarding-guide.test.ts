/** Runs the commands of the guide to web forwarding in their order, as a customer does, and compares what they print. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount, signInAdministrator } from './support/accounts.ts'
import { addressesOf } from './support/dns.ts'
import { type GuideStep, guideSteps } from './support/guide.ts'
import { eventually, ROOT, temporaryDataDir } from './support/stack.ts'

const USERNAME = 'gilda'
const NAME = `home-of-${USERNAME}.homing.test`
const OWN_ADDRESS = '192.0.2.1'
/** `FORWARD_ADDRESSES` of a service on one machine. */
const FORWARDER = '127.0.0.1'
/** The sections with commands, and the address in DNS after their last command. */
const SECTIONS = [
  ['Forward a domain', FORWARDER],
  ['Check a target', FORWARDER],
  ['Stealth forwards', FORWARDER],
  ['Change, pause and end a forward', OWN_ADDRESS],
  ['By API', OWN_ADDRESS],
] as const
const stack = inject('sharedService')
const home = temporaryDataDir()

/** The target of the guide: a site that can be shown in frames. */
const shop: Server = createServer((_request, response) => response.end('<p>Shoes</p>'))
const DOMAIN_ID = '"42"'
const FORWARD_PATH = '/api/webforward/9'

let gilda: Account
let shopOrigin = ''
let key = ''

/** The domain, the target and the ids of the guide, replaced by those of this service. */
async function own(text: string): Promise<string> {
  const { data: domains = [] } = await gilda.api.GET('/api/domains')
  const { data: forwards = [] } = await gilda.api.GET('/api/webforward')
  return text
    .replaceAll('home.example.net', NAME)
    .replaceAll('https://shop.example.com', shopOrigin)
    .replaceAll(DOMAIN_ID, `"${domains[0]?.id}"`)
    .replaceAll(FORWARD_PATH, `/api/webforward/${forwards[0]?.id}`)
}

/** @throws Error when a command fails */
async function run(commands: string): Promise<string> {
  const { PATH = '' } = process.env
  const env = {
    PATH: `${join(ROOT, 'node_modules/.bin')}:${PATH}`,
    HOME: home.path,
    CURL_HOME: home.path,
    SERVICE: stack.url,
    TOKEN: key,
    HOMING_URL: stack.url,
    HOMING_API_KEY: key,
  }
  const { stdout } = await promisify(execFile)('bash', ['-euc', commands], { cwd: home.path, env })
  return stdout
}

/** Whether the output has each line of the guide. */
function hasLines(printed: string, expected: string): boolean {
  const lines = printed.split(/\r?\n/).map((line) => line.trim())
  return expected
    .trim()
    .split('\n')
    .every((line) => lines.includes(line))
}

/** Whether the output is the object of the guide, checked at any time. */
function isObject(printed: string, expected: string): boolean {
  const wanted = JSON.parse(expected) as { checked_at: string }
  return isDeepStrictEqual({ ...JSON.parse(printed), checked_at: wanted.checked_at }, wanted)
}

/** Runs a step. Where the guide shows the output, the step is repeated until it prints the same: changes arrive within a second. */
async function follow({ commands, language, output = '' }: GuideStep): Promise<void> {
  const [asked, expected] = await Promise.all([own(commands), own(output)])
  const isShown = language === 'json' ? isObject : hasLines
  const attempt = async () => run(asked)
  if (language === undefined) await attempt()
  else await eventually(attempt, (printed) => isShown(printed, expected))
}

describe('the guide to web forwarding', needs('curl'), () => {
  beforeAll(async () => {
    shop.listen(0, '127.0.0.1')
    await once(shop, 'listening')
    shopOrigin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
    gilda = await registerAccount(stack, USERNAME)
    await addNames(gilda, [NAME])
    const boss = await signInAdministrator(stack)
    const { data: me } = await gilda.api.GET('/api/me')
    const params = { path: { id: me?.id ?? '' } }
    await boss.api.PUT('/api/admin/users/{id}', { params, body: { account_type: 'pro' } })
    const created = await gilda.api.POST('/api/api-keys/', { body: { name: 'guide' } })
    key = created.data?.key ?? ''
    // Visitors reach the forwarding server, and a refused call is an error.
    const settings = `fail\nconnect-to = "${NAME}:80:127.0.0.1:${stack.forwardPort}"\n`
    writeFileSync(join(home.path, '.curlrc'), settings)
  })
  afterAll(() => {
    shop.close()
    home.remove()
  })

  const resolves = (address: string) =>
    eventually(
      () => addressesOf(stack.dnsPort, NAME, 'A'),
      (addresses) => addresses.join() === address,
    )

  test.each(SECTIONS)('“%s” does what it says, and DNS then has %s', async (heading, address) => {
    const steps = guideSteps('web-forwarding.md', heading)
    expect(steps.length).toBeGreaterThan(0)
    for (const step of steps) await follow(step)
    await resolves(address)
  })

  test('no command of the guide is left out', () => {
    const followed = SECTIONS.flatMap(([heading]) => guideSteps('web-forwarding.md', heading))
    expect(followed).toEqual(guideSteps('web-forwarding.md'))
  })
})
