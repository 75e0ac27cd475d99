/** Runs the commands of the guide to records in their order, as a customer does, and compares what they print. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount, signInAdministrator } from './support/accounts.ts'
import { followStep, type Reader, runAs } from './support/follow-guide.ts'
import { guideSteps } from './support/guide.ts'
import { temporaryDataDir } from './support/stack.ts'

const GUIDE = 'records.md'
const USERNAME = 'rona'
const NAME = `home-of-${USERNAME}.homing.test`
/** Those with commands, in the order of the guide. */
const SECTIONS = [
  'Create a record',
  'Types',
  'TTL',
  'Where each type is allowed',
  'Change and delete',
  'Import and export',
  'Certificates by DNS (ACME DNS-01)',
  'Keys limited to record types',
  'History and undo',
  'By API',
] as const
const stack = inject('sharedService')
const home = temporaryDataDir()

let rona: Account
let domainId = ''

/** The id of the record that the guide changes by its id; of any record while it does not exist. */
async function recordId(): Promise<string> {
  const filter = JSON.stringify({ owner: `_atproto.${NAME}` })
  const params = { path: { id: domainId }, query: { filter } }
  const { data = [] } = await rona.api.GET('/api/domains/{id}/records', { params })
  return data[0]?.id ?? '1'
}

/** The customer who has signed in. */
const reader = (): Reader => ({
  home: home.path,
  env: { SERVICE: stack.url, TOKEN: rona.token, HOMING_URL: stack.url },
  own: async (text) =>
    text
      .replaceAll('home.example.net', NAME)
      .replaceAll('/domains/42/', `/domains/${domainId}/`)
      .replaceAll('/records/81', `/records/${await recordId()}`)
      .replaceAll('198.51.100.53:53', `127.0.0.1:${stack.dnsPort}`),
})

describe('the guide to records', needs('curl'), () => {
  beforeAll(async () => {
    rona = await registerAccount(stack, USERNAME)
    await addNames(rona, [NAME])
    const { data: domains = [] } = await rona.api.GET('/api/domains')
    domainId = domains[0]?.id ?? ''
    const boss = await signInAdministrator(stack)
    const { data: me } = await rona.api.GET('/api/me')
    await boss.api.PUT('/api/admin/users/{id}', {
      params: { path: { id: me?.id ?? '' } },
      body: { account_type: 'pro' },
    })
    // A refused call is an error.
    writeFileSync(join(home.path, '.curlrc'), 'fail\n')
    writeFileSync(join(home.path, 'password'), `${rona.password}\n`, { mode: 0o600 })
    await runAs(
      reader(),
      `homing login --server ${stack.url} --username ${USERNAME} --with-password-stdin < password`,
    )
  })
  afterAll(() => home.remove())

  test.each(SECTIONS)('“%s” does what it says', async (heading) => {
    const steps = guideSteps(GUIDE, heading)
    expect(steps.length).toBeGreaterThan(0)
    for (const step of steps) await followStep(reader(), step)
  })

  test('no command of the guide is left out', () => {
    const followed = SECTIONS.flatMap((heading) => guideSteps(GUIDE, heading))
    expect(followed).toEqual(guideSteps(GUIDE))
  })
})
