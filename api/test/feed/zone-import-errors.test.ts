/** Zone files that are refused: each error with its line, and nothing imported. */
import { describe, expect, test } from 'vitest'
import { ZoneFileRefused } from '../../src/feed/zone-file/problems.ts'
import { query } from '../../src/database/sql.ts'
import { insertDomain, makeUser } from '../support/feed-world.ts'
import { useZoneFileWorld } from '../support/zone-file-world.ts'

const t = useZoneFileWorld()

describe('errors: each with its line, nothing imported', () => {
  test('of many kinds in one file', async () => {
    const before = await t.state()
    const file = [
      'a A 192.0.2',
      'b.other.test. A 192.0.2.1',
      'c FOO bar',
      'd CNAME a',
      'd TXT "x"',
      'e 60 A 192.0.2.1',
      'e 61 A 192.0.2.2',
      'f CNAME a',
      'f CNAME b',
      'g DNAME x.test.',
      'below.g A 192.0.2.1',
      '@ CNAME a',
      'h SOA a. b. 1 2 3 4 5',
      '@ SOA a. b. 1 2 3 4 5',
      '@ SOA a. b. 1 2 3 4 6',
      'i RRSIG A 13 2 60 20300101000000 20260101000000 1 homing.test. AA==',
      'good A 192.0.2.1',
    ]
    const problems = await t.problemsOf(file.join('\n'))
    expect(problems.map((problem) => Number.parseInt(problem, 10))).toEqual([
      1, 2, 3, 5, 7, 9, 11, 12, 13, 15, 16,
    ])
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^2: b\.other\.test is outside the zone homing\.test/),
        expect.stringMatching(/^5: d\.homing\.test has a CNAME record \(line 4\)/),
        expect.stringMatching(/^7: The A records of e\.homing\.test have different TTLs/),
        expect.stringMatching(/^9: f\.homing\.test has more than one CNAME/),
        expect.stringMatching(/^11: below\.g\.homing\.test is below g\.homing\.test/),
        expect.stringMatching(/^15: The file contains a second SOA record/),
      ]),
    )
    expect(await t.state()).toEqual(before)
  })

  test('names of users: their own, names below them, and records that would hide them', async () => {
    const userId = await makeUser(t.knex, 'ada')
    for (const fqdn of ['mine.homing.test', 'x.deep.homing.test', 'y.tree.homing.test']) {
      await insertDomain(t.knex, { userId, fqdn, ipv4: '192.0.2.9' })
    }
    const file = [
      'mine TXT "x"',
      'a.b.mine A 192.0.2.1',
      'deep NS ns.elsewhere.test.',
      'tree DNAME elsewhere.test.',
      'fine A 192.0.2.1',
      'xmine A 192.0.2.1',
    ]
    expect(await t.problemsOf(file.join('\n'))).toEqual([
      "1: mine.homing.test is a user's domain.",
      "2: a.b.mine.homing.test is below mine.homing.test, which is a user's domain.",
      "3: The NS records of deep.homing.test would hide x.deep.homing.test, which is a user's domain.",
      "4: The DNAME records of tree.homing.test would hide y.tree.homing.test, which is a user's domain.",
    ])
  })

  test('locked names without a domain: their own, names below them, and records that would answer for them', async () => {
    await query(
      t.knex,
      `insert into locked_names (fqdn) values ('evil.homing.test'), ('x.deep.homing.test'), ('y.tree.homing.test')`,
    )
    const file = [
      'evil TXT "x"',
      'a.b.evil A 192.0.2.1',
      'deep NS ns.elsewhere.test.',
      'tree DNAME elsewhere.test.',
      'fine A 192.0.2.1',
      'xevil A 192.0.2.1',
      'deep2 A 192.0.2.1',
    ]
    const clear = 'An administrator must clear the lock first.'
    expect(await t.problemsOf(file.join('\n'))).toEqual([
      `1: evil.homing.test is a locked name. ${clear}`,
      `2: a.b.evil.homing.test is below evil.homing.test, a locked name. ${clear}`,
      `3: The NS records of deep.homing.test would delegate or redirect x.deep.homing.test, a locked name. ${clear}`,
      `4: The DNAME records of tree.homing.test would delegate or redirect y.tree.homing.test, a locked name. ${clear}`,
    ])
  })

  test('a dot within a label does not make a name lie below another', async () => {
    const userId = await makeUser(t.knex, 'ada')
    await insertDomain(t.knex, { userId, fqdn: 'dot.homing.test', ipv4: '192.0.2.9' })
    await t.load('odd\\.dot A 192.0.2.1')
    expect(await t.problemsOf('odd\\\\.dot A 192.0.2.1')).toEqual([
      "1: odd\\\\.dot.homing.test is below dot.homing.test, which is a user's domain.",
    ])
  })

  test('of one kind, beyond the limit: all are counted', async () => {
    const file = Array.from(
      { length: 1_200 },
      (_, n) => `n${n} 60 A 192.0.2.1\nn${n} 61 A 192.0.2.2\n`,
    )
    const error: unknown = await t.load(file.join('')).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ count: 1_200 })
    expect((error as ZoneFileRefused).problems).toHaveLength(1_000)
  })

  test('a hundred thousand invalid lines are counted and a thousand kept', async () => {
    const error: unknown = await t
      .load('a A 1\n'.repeat(100_000))
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ZoneFileRefused)
    const { count, problems } = error as ZoneFileRefused
    expect(count).toBe(100_000)
    expect(problems).toHaveLength(1_000)
  })
})
