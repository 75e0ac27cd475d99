/** A household has one IPv6 /64: simultaneous calls of its machines count as one attempt. */
import { expect, test } from 'vitest'
import { PASSWORD } from '../../test/support/api-world.ts'
import { usePasswordWorld } from '../../test/support/password-world.ts'

const t = usePasswordWorld()
const MACHINES = Array.from({ length: 20 }, (_, n) => `2001:db8:7:7::${n + 1}`)

/** All machines call at the same moment. @returns the result of each */
async function atOnce(password: string): Promise<string[]> {
  const verdicts = await Promise.all(MACHINES.map((ip) => t.byMachine(password, ip)))
  return verdicts.map(({ kind }) => kind)
}

test('the right password is evaluated once for all machines, and all of them succeed', async () => {
  const all = MACHINES.map(() => 'account')
  expect(await atOnce(PASSWORD)).toEqual(all)
  expect(t.evaluated).toBe(1)
  // Each machine is remembered under its own address.
  expect(await atOnce(PASSWORD)).toEqual(all)
  expect(t.evaluated).toBe(1)
})

test('a wrong password counts as one attempt, and five are left', async () => {
  expect(new Set(await atOnce('wrong 0'))).toEqual(new Set(['wrong']))
  for (let n = 1; n <= 5; n += 1) await atOnce(`wrong ${n}`)
  expect(t.evaluated).toBe(6)
  expect(new Set(await atOnce('wrong 6'))).toEqual(new Set(['throttled']))
  expect(t.evaluated).toBe(6)
})
