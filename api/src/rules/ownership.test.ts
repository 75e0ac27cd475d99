/** Which proof counts, in every order of claim, delegation, second claim, proof and loss. */
import { describe, expect, test } from 'vitest'
import { type Claimant, type Evidence, isContested, ownershipTasks, proofIn } from './ownership.ts'

const SERVERS = ['ns1.homing.test', 'ns2.homing.test']
const TOKEN = 'abcdefghijklmnopqrstuvwxyz'
const OTHER_TOKEN = 'zyxwvutsrqponmlkjihgfedcba'
const third = (token: string) => `${token}.verify.homing.test`

/** A domain with what people do to it, one after the other. */
class Story {
  #delegatesTo: readonly string[] = []
  #txt: string[] = []
  #third: string[] = []
  readonly #claims = new Map<string, { token: string; wasDelegated: boolean | null }>()

  claim(who: string, token: string, isExamined = true): void {
    const wasDelegated = isExamined ? this.#isOurs : null
    this.#claims.set(who, { token, wasDelegated })
  }

  /** The other claims are examined again. */
  end(who: string): void {
    this.#claims.delete(who)
    for (const claim of this.#claims.values()) claim.wasDelegated = this.#isOurs
  }

  delegate(to: readonly string[]): void {
    this.#delegatesTo = to
  }

  publish(token: string): void {
    this.#txt.push(token)
  }

  addServer(token: string): void {
    this.#third.push(third(token))
  }

  get #isOurs(): boolean {
    return this.#delegatesTo.some((name) => SERVERS.includes(name))
  }

  claimant(who: string): Claimant {
    const claim = this.#claims.get(who)
    if (claim === undefined) throw new Error(`${who} has no claim`)
    const { token, wasDelegated } = claim
    const liveClaims = this.#claims.size
    return { name: 'brand.example', token, wasDelegated, liveClaims, firstZone: 'homing.test' }
  }

  /** What a check finds now. */
  proof(who: string) {
    const found: Evidence = {
      isDelegationRight: this.#delegatesTo.toSorted().join() === SERVERS.join(),
      txt: this.#isOurs ? undefined : this.#txt,
      parentNs: [...this.#delegatesTo, ...this.#third],
    }
    return proofIn(this.claimant(who), found)
  }
}

const delegated = (story: Story) => story.delegate(SERVERS)
const claimed = (story: Story) => story.claim('ada', TOKEN)
const contested = (story: Story) => story.claim('bob', OTHER_TOKEN)
const withdrawn = (story: Story) => story.end('bob')
const published = (story: Story) => story.publish(TOKEN)
const third_server = (story: Story) => story.addServer(TOKEN)
type Step = (story: Story) => void

test.each<readonly [string, readonly Step[], string | undefined]>([
  ['claim', [claimed], undefined],
  ['claim, delegation', [claimed, delegated], 'delegation'],
  ['delegation, claim', [delegated, claimed], undefined],
  ['claim, second claim, delegation', [claimed, contested, delegated], undefined],
  ['second claim, claim, delegation', [contested, claimed, delegated], undefined],
  ['claim, delegation, second claim', [claimed, delegated, contested], undefined],
  ['claims, delegation, the second ends', [claimed, contested, delegated, withdrawn], undefined],
  ['claims, the second ends, delegation', [claimed, contested, withdrawn, delegated], 'delegation'],
  ['delegation, claims, the second ends', [delegated, claimed, contested, withdrawn], undefined],
  ['claim, record', [claimed, published], 'txt'],
  ['claims, record', [claimed, contested, published], 'txt'],
  ['record, then everything moves to us', [claimed, published, contested, delegated], undefined],
  ['claim, third server', [claimed, third_server], 'ns'],
  ['delegation, claim, third server', [delegated, claimed, third_server], 'ns'],
  ['claims, delegation, third server', [claimed, contested, delegated, third_server], 'ns'],
  ['claim, delegation, third server', [claimed, delegated, third_server], 'ns'],
  ['the record of the other claim', [claimed, contested, (s) => s.publish(OTHER_TOKEN)], undefined],
  [
    'the server of the other claim',
    [claimed, contested, (s) => s.addServer(OTHER_TOKEN)],
    undefined,
  ],
  [
    'a claim that no check examined, delegation',
    [(s) => s.claim('ada', TOKEN, false), delegated],
    undefined,
  ],
])('%s: %s', (_, steps, proof) => {
  const story = new Story()
  for (const step of steps) step(story)
  expect(story.proof('ada')).toBe(proof)
})

test('a domain that changes hands belongs to the account with the latest proof', () => {
  const story = new Story()
  claimed(story)
  delegated(story)
  expect(story.proof('ada')).toBe('delegation')
  // Sold: the new owner hosts it elsewhere, claims it, and publishes the record.
  story.delegate(['ns.elsewhere.example'])
  contested(story)
  expect(story.proof('bob')).toBeUndefined()
  story.publish(OTHER_TOKEN)
  expect(story.proof('bob')).toBe('txt')
  // Ada’s claim ended with that; a new one has another token.
  story.end('ada')
  story.claim('ada', 'a-third-token')
  delegated(story)
  expect(story.proof('ada')).toBeUndefined()
})

test('names of name servers are compared without case and final dot, and texts without spaces', () => {
  const story = new Story()
  claimed(story)
  const nothing = { isDelegationRight: false, txt: undefined, parentNs: [] }
  const claimant = story.claimant('ada')
  const server = `${third(TOKEN).toUpperCase()}.`
  expect(proofIn(claimant, { ...nothing, parentNs: [server] })).toBe('ns')
  expect(proofIn(claimant, { ...nothing, txt: ['v=spf1 -all', ` ${TOKEN} `] })).toBe('txt')
  expect(proofIn(claimant, { ...nothing, txt: [`${TOKEN}x`, ''] })).toBeUndefined()
})

describe('the ways to prove it', () => {
  const claimant = { name: 'brand.example', token: TOKEN, firstZone: 'homing.test' }

  test('the delegation or a record, for the only claimant', () => {
    const only = { ...claimant, wasDelegated: false, liveClaims: 1 }
    expect(isContested(only)).toBe(false)
    expect(ownershipTasks(only, SERVERS)).toMatchObject([
      {
        method: 'delegation',
        name: 'brand.example',
        type: 'NS',
        values: ['ns1.homing.test.', 'ns2.homing.test.'],
        description: 'Set these name servers for brand.example at your registrar.',
      },
      { method: 'txt', name: '_homing-verify.brand.example', type: 'TXT', values: [TOKEN] },
    ])
    const [task] = ownershipTasks(only, ['ns1.brand.example'])
    expect(task?.description).toContain('(glue records)')
  })

  test.each([
    { wasDelegated: false, liveClaims: 2 },
    { wasDelegated: true, liveClaims: 1 },
  ])('a record or a third server: %j', (state) => {
    expect(ownershipTasks({ ...claimant, ...state }, SERVERS)).toMatchObject([
      { method: 'txt', name: '_homing-verify.brand.example', type: 'TXT', values: [TOKEN] },
      { method: 'ns', name: 'brand.example', type: 'NS', values: [`${third(TOKEN)}.`] },
    ])
  })
})
