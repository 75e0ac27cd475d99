/** A repository is identified by its id: a later owner of its name does not get the trust. */
import { expect, test } from 'vitest'
import { problemOf } from '../../../test/support/calls.ts'
import { useTrustWorld } from '../../../test/support/trust-world.ts'

const t = useTrustWorld()
const HERS = { repository_id: '74', repository_owner_id: '65' }
/** The ids after somebody else has registered the same name again. */
const ANOTHERS = { repository_id: '975', repository_owner_id: '866' }

test('the first pipeline of a named repository determines its id', async () => {
  const { id, repository_id } = await t.made()
  expect(repository_id).toBeNull()
  expect((await t.exchange(id, HERS)).status).toBe(201)
  expect(await t.list()).toMatchObject([{ repository: 'ada/home', ...HERS }])
  const refused = problemOf(await t.exchange(id, ANOTHERS))
  expect(refused).toMatchObject({ status: 401, code: 'wrong-credentials' })
  expect(refused.detail).toContain('repository id')
  expect(await t.list()).toMatchObject([HERS])
  expect((await t.exchange(id, HERS)).status).toBe(201)
})

test('a repository that was transferred to another owner is refused', async () => {
  const { id } = await t.made()
  await t.exchange(id, HERS)
  const handed = { ...HERS, repository_owner_id: '866' }
  expect(problemOf(await t.exchange(id, handed)).detail).toContain('repository owner id')
})

test('a pipeline that no longer reports an id is refused', async () => {
  const { id } = await t.made()
  await t.exchange(id, HERS)
  expect((await t.exchange(id)).status).toBe(401)
})

test('of two concurrent first repositories, one is trusted', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { id } = await t.made()
    const replies = await Promise.all([t.exchange(id, HERS), t.exchange(id, ANOTHERS)])
    const statuses = replies.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 401])
  }
})

test('a refused one determines nothing, and gets no key', async () => {
  const { id } = await t.made({ repository: 'ada/home', branch: 'main' })
  expect((await t.exchange(id, { ...ANOTHERS, ref: 'refs/heads/dev' })).status).toBe(401)
  expect(await t.list()).toMatchObject([{ repository_id: null, repository_owner_id: null }])
})

test('an id alone is enough, and outlives a rename', async () => {
  const { id } = await t.made({ repository_id: '74' })
  expect((await t.exchange(id, { ...HERS, repository: 'ada/renamed' })).status).toBe(201)
  expect((await t.exchange(id, ANOTHERS)).status).toBe(401)
})

test('issuers that report no ids are trusted by name', async () => {
  const { id } = await t.made()
  expect((await t.exchange(id)).status).toBe(201)
  expect((await t.exchange(id)).status).toBe(201)
})

test.each([
  ['repository', {}],
  ['repository', { repository_owner_id: '65' }],
  ['repository_id', { repository_id: '' }],
  ['repository_id', { repository_id: 'x'.repeat(65) }],
  ['repository_id', { repository_id: 74 }],
])('a policy that is refused: %s of %j', async (field, fields) => {
  const problem = problemOf(await t.make(fields))
  expect(problem).toMatchObject({ status: 422, errors: [{ field }] })
})
