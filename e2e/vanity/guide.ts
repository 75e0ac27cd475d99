/**
 * Runs the commands of the guide to vanity name servers in their order, as a customer does. The test does what the guide
 * asks for elsewhere: at the registrar, and at the former DNS provider.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import type { Account } from '../support/accounts.ts'
import { followStep, type Reader, runAs } from '../support/follow-guide.ts'
import { type GuideStep, guideSteps } from '../support/guide.ts'
import { proofOf } from '../support/zone-calls.ts'
import { eventually, temporaryDataDir } from '../support/stack.ts'
import { NS1, TO_SERVICE, toVanity, type VanityWorld } from '../support/vanity-world.ts'

const GUIDE = 'vanity-name-servers.md'
const USERNAME = 'vera'
/** The sections with commands, in the order of the guide. */
const SECTIONS = [
  'Set up',
  'Verify',
  'Use your zone',
  'Other domains on your name servers',
  'Move a domain without an interruption',
  'Remove',
  'By API',
] as const
const MOVED = 'example.net'

const home = temporaryDataDir()
let world: VanityWorld
let vera: Account

/** The id of a live zone. */
async function idOf(domain: string): Promise<string> {
  const { data = [] } = await vera.api.GET('/api/zones')
  return data.find(({ zone }) => zone === domain)?.id ?? ''
}

const reader = (): Reader => ({
  home: home.path,
  env: { SERVICE: world.insideUrl, TOKEN: vera.token },
  namespace: world.namespace,
  own: async (text) => text.replaceAll('/zones/5', `/zones/${await idOf('example.org')}`),
})

/** Waits until the name servers answer for a new zone, as registries that test them do. */
async function isServed(domain: string): Promise<void> {
  await eventually(
    () => world.namespace.run('dig', `@${NS1.ipv4}`, '+norecurse', domain, 'SOA'),
    (answer) => answer.includes('status: NOERROR'),
  )
}

/** The domain in use, at its former DNS provider. */
async function useElsewhere(): Promise<void> {
  const { tree } = world
  await tree.host(MOVED, [[MOVED, 'MX', '10 mail.example.net.']])
  await tree.registrar.delegate(MOVED, { nameservers: [tree.hoster.hostname] })
}

/** What the guide asks for after these commands, elsewhere. */
const AFTER: readonly (readonly [commands: RegExp, action: () => Promise<void>])[] = [
  [
    /^homing vanity-ns setup/,
    async () => {
      await isServed('example.com')
      await world.tree.registrar.delegate('example.com', toVanity('example.com'))
    },
  ],
  [
    /^homing zones add example\.org/,
    async () => {
      await isServed('example.org')
      const { nameservers } = toVanity('example.com')
      await world.tree.registrar.delegate('example.org', { nameservers })
    },
  ],
  [
    /^homing zones add example\.net/,
    async () => {
      const { name, value } = await proofOf(vera, await idOf(MOVED), 'txt')
      await world.tree.host(MOVED, [[name, 'TXT', `"${value}"`]])
    },
  ],
  [/^echo .* > example\.net\.zone/, () => world.tree.registrar.delegate(MOVED, TO_SERVICE)],
]

async function follow(step: GuideStep): Promise<void> {
  await followStep(reader(), step)
  for (const [commands, action] of AFTER) if (commands.test(step.commands)) await action()
}

/** @param opened a world without the domains of the guide */
export function testGuide(opened: () => VanityWorld): void {
  describe(
    'the guide to vanity name servers',
    needs('root', 'ip', 'nsenter', 'curl', 'dig'),
    () => {
      beforeAll(async () => {
        world = opened()
        vera = await world.eliteAccount(USERNAME)
        await useElsewhere()
        // A refused call is an error.
        writeFileSync(join(home.path, '.curlrc'), 'fail\n')
        writeFileSync(join(home.path, 'password'), `${vera.password}\n`, { mode: 0o600 })
        await runAs(
          reader(),
          `homing login --server ${world.insideUrl} --username ${USERNAME} --with-password-stdin < password`,
        )
      })
      afterAll(() => home.remove())

      test.each(SECTIONS)('“%s” does what it says', async (heading) => {
        const steps = guideSteps(GUIDE, heading)
        expect(steps.length).toBeGreaterThan(0)
        for (const step of steps) await follow(step)
      })

      test('no command of the guide is left out', () => {
        const followed = SECTIONS.flatMap((heading) => guideSteps(GUIDE, heading))
        expect(followed).toEqual(guideSteps(GUIDE))
      })
    },
  )
}
