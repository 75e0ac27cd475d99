/** Runs the commands of the guide to DNS analytics in their order, as a customer does, and compares what they print. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount, signInAdministrator } from './support/accounts.ts'
import { ask } from './support/dns.ts'
import { followStep, type Reader, runAs } from './support/follow-guide.ts'
import { guideSteps } from './support/guide.ts'
import { eventually, temporaryDataDir } from './support/stack.ts'
import { embeddedUrl, storeQueries } from './support/tables.ts'

const GUIDE = 'analytics.md'
const USERNAME = 'anna'
const NAME = `home-of-${USERNAME}.homing.test`
/** In the order of the guide. The first ones show queries that were stored before. */
const OF_STORED = ['See how often your domains are queried', 'Over time', 'Export'] as const
const LIVE = 'Watch queries live'
const SECTIONS = [...OF_STORED, LIVE, 'By API'] as const
const stack = inject('sharedService')
const home = temporaryDataDir()

let anna: Account
let domainId = ''

/** The customer who has signed in. */
const reader = (): Reader => ({
  home: home.path,
  env: { SERVICE: stack.url, TOKEN: anna.token },
  own: (text) =>
    Promise.resolve(
      text
        .replaceAll('home.example.net', NAME)
        .replaceAll('"42"', `"${domainId}"`)
        .replaceAll('domain_id=42', `domain_id=${domainId}`),
    ),
})

async function followSection(heading: (typeof SECTIONS)[number]): Promise<void> {
  const steps = guideSteps(GUIDE, heading)
  expect(steps.length).toBeGreaterThan(0)
  for (const step of steps) await followStep(reader(), step)
}

describe('the guide to DNS analytics', needs('curl'), () => {
  beforeAll(async () => {
    anna = await registerAccount(stack, USERNAME)
    await addNames(anna, [NAME])
    const { data: domains = [] } = await anna.api.GET('/api/domains')
    domainId = domains[0]?.id ?? ''
    const boss = await signInAdministrator(stack)
    const { data: me } = await anna.api.GET('/api/me')
    await boss.api.PUT('/api/admin/users/{id}', {
      params: { path: { id: me?.id ?? '' } },
      body: { account_type: 'elite' },
    })
    await storeQueries(embeddedUrl(stack.dataDir), NAME, [
      ['total', '', 84],
      ['type', 'A', 60],
      ['type', 'AAAA', 24],
      ['country', 'AT', 84],
    ])
    // A refused call is an error.
    writeFileSync(join(home.path, '.curlrc'), 'fail\n')
    writeFileSync(join(home.path, 'password'), `${anna.password}\n`, { mode: 0o600 })
    await runAs(
      reader(),
      `homing login --server ${stack.url} --username ${USERNAME} --with-password-stdin < password`,
    )
  })
  afterAll(() => home.remove())

  test.each(OF_STORED)('“%s” does what it says', async (heading) => {
    await expect(followSection(heading)).resolves.toBeUndefined()
  })

  test('the summary is a line for each period and domain', async () => {
    const printed = await runAs(reader(), 'homing stats')
    expect(printed).toMatch(/^period\t24h\tlast 24 hours\t84\t/m)
    expect(printed).toContain(`domain\t${domainId}\t${NAME}\t84\t\n`)
    expect(printed).toContain('country\tAT\tAustria\t84\t\n')
  })

  test(`“${LIVE}” shows a query that arrives`, async () => {
    let isShown = false
    const followed = followSection(LIVE).finally(() => {
      isShown = true
    })
    await eventually(
      () => ask(stack.dnsPort, NAME, 'A'),
      () => isShown,
    )
    await expect(followed).resolves.toBeUndefined()
  })

  test('“By API” does what it says', async () => {
    await expect(followSection('By API')).resolves.toBeUndefined()
  })

  test('no command of the guide is left out', () => {
    const followed = SECTIONS.flatMap((heading) => guideSteps(GUIDE, heading))
    expect(followed).toEqual(guideSteps(GUIDE))
  })
})
