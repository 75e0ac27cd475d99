/**
 * Copies of a holder. A copy has the belongings of the original under its own ids and names, its own secrets, and
 * another plan.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { digestOf, newSecret } from '../../../src/rules/secrets.ts'
import { allowCopies, copied, insertRows, type Replacements, rowsOf } from './account-copy.ts'
import { addressOf, type Belongings, type Holder, holderOf } from './belongings.ts'

/** The first characters of a secret, which tables contain beside its digest. */
const prefixOf = (secret: string) => secret.slice(0, 10)
const newToken = () => randomBytes(32).toString('base64url')

/** Random octets in place of those that a unique column of the original contains, in hexadecimal. */
function newOctets(rows: string): [string, string][] {
  const unique = rows.matchAll(/"(?:\w+_digest|credential_id)": "\\\\x([0-9a-f]+)"/g)
  return Array.from(unique, ([, octets = '']) => [
    octets,
    randomBytes(octets.length / 2).toString('hex'),
  ])
}

/** Another time of the lock, which the id of the notice contains. */
function newLockTime(rows: string, n: number): [string, string][] {
  const [, at = ''] = /"locked_at": "([^"]+)"/.exec(rows) ?? []
  const time = new Date(Date.parse(at) - n)
  return [
    [at, time.toISOString()],
    [String(Date.parse(at)), String(time.getTime())],
  ]
}

export class HolderCopies {
  readonly #knex: Knex
  readonly #original: Holder
  readonly #rows: string
  #copies = 0

  private constructor(knex: Knex, original: Holder, rows: string) {
    this.#knex = knex
    this.#original = original
    this.#rows = rows
  }

  /** @param original is of no other use: it stays as it is */
  static async of(knex: Knex, original: Holder): Promise<HolderCopies> {
    await allowCopies(knex)
    return new HolderCopies(knex, original, await rowsOf(knex, original.its.userId))
  }

  /** Inserts a copy. @param person its number, which no other account has */
  async copy(plan: string, person: number): Promise<Holder> {
    this.#copies += 1
    const { its, plan: itsPlan, person: itsPerson, ...secrets } = this.#original
    const token = newToken()
    const [key, updateToken, lockedToken] = [
      newSecret('api_key', randomBytes),
      newSecret('update_token', randomBytes),
      newSecret('update_token', randomBytes),
    ]
    const replaced: [string, string][] = [
      [secrets.token, token],
      [secrets.key, key],
      [secrets.updateToken, updateToken],
      [secrets.lockedToken, lockedToken],
    ]
    const replacements: Replacements = [
      ...replaced.map(([old, own]) => [digestOf(old), digestOf(own)] as const),
      ...replaced.slice(1).map(([old, own]) => [prefixOf(old), prefixOf(own)] as const),
      ...newOctets(this.#rows),
      ...newLockTime(this.#rows, this.#copies),
      [its.username, `holder${person}`],
      [addressOf(itsPerson), addressOf(person)],
      [`"account_type": "${itsPlan}"`, `"account_type": "${plan}"`],
    ]
    const own = (text: string) => copied(text, this.#copies, replacements)
    await insertRows(this.#knex, own(this.#rows))
    const theirs = JSON.parse(own(JSON.stringify(its))) as Belongings
    assert.notEqual(theirs.noticeId, its.noticeId)
    return holderOf({ plan, person, its: theirs, token, key, updateToken, lockedToken })
  }
}
