/** The update URLs of an account that has a second factor, over real sockets. */
import type { UpdateCall } from '@homing/openapi'
import { beforeEach, expect, test } from 'vitest'
import { createServices, stopServices } from '../../compose.ts'
import { PASSWORD, testApp } from '../../../test/support/api-world.ts'
import { call } from '../../../test/support/calls.ts'
import { addApp } from '../../../test/support/second-factor.ts'
import { basic, useUpdateWorld } from '../../../test/support/update-world.ts'

const t = useUpdateWorld()
let address = 10
const BAD_AUTH = '401 badauth\n'

/** Each update sends a different address. */
function update(asked: Parameters<typeof t.said>[1] = {}, search = `hostname=${t.host}`) {
  address += 1
  return t.said(`${search}&myip=192.0.2.${address}`, asked)
}
const good = () => `200 good 192.0.2.${address}\n`

async function lastCall(): Promise<UpdateCall | undefined> {
  await t.world.services.callLog.flush()
  const url = `/api/domains/${t.hostId}/update-calls`
  const reply = await call(t.world.app, 'GET', url, { headers: t.ada.headers })
  return reply.json<UpdateCall[]>()[0]
}

let token: string
let key: string
beforeEach(async () => {
  token = await t.token()
  key = await t.key()
  // From now on, the service remembers the password.
  await update()
  await addApp(t.world, t.ada)
})

test('the password is refused at once, token and key still work', async () => {
  expect(await t.stored()).toEqual([`192.0.2.${address}`, null])
  expect(await update()).toBe(BAD_AUTH)
  expect(await update()).toBe(BAD_AUTH)
  expect(await update({ authorization: basic('none', token) })).toBe(good())
  expect(await update({ authorization: `Bearer ${key}` })).toBe(good())
})

test('a refused call changes nothing, in any form', async () => {
  const before = await t.stored()
  for (const search of [
    `hostname=${t.host}`,
    'hostname=home',
    '',
    `hostname=${t.host},none.test`,
  ]) {
    expect(await update({}, search)).toBe(BAD_AUTH)
  }
  expect(await update({ authorization: basic(`${t.ada.username}@mail.test`) })).toBe(BAD_AUTH)
  expect(await update({ method: 'HEAD' })).toBe('401 ')
  expect(await t.stored()).toEqual(before)
})

test('a right password gets the answer to a wrong one', async () => {
  const search = `hostname=${t.host}&myip=192.0.2.9`
  const right = await t.ask(search)
  const wrong = await t.ask(search, { authorization: basic(t.ada.username, `${PASSWORD}!`) })
  const undated = ({ status, body, headers }: typeof right) => {
    return [status, body, [...headers].filter(([name]) => name !== 'date')]
  }
  expect(undated(right)).toEqual(undated(wrong))
})

test('the owner sees the reason and the remedy; nothing of a wrong password', async () => {
  await update()
  expect(await lastCall()).toMatchObject({
    answer: 'badauth',
    hint: 'account-password-refused',
    hint_text: expect.stringContaining('update token'),
    is_refused: false,
  })
  await update({ authorization: basic(t.ada.username, `${PASSWORD}!`) })
  expect(await lastCall()).toMatchObject({ answer: 'badauth', hint: null, is_refused: true })
})

test('it applies on a replica that has the password in memory', async () => {
  const services = createServices(t.world.services)
  const replica = await testApp(services)
  const ask = async (ip: string) => {
    const url = `/nic/update?hostname=${t.host}&myip=${ip}`
    const authorization = basic(t.ada.username)
    return (await replica.inject({ url, headers: { authorization } })).body
  }
  try {
    const off = await call(t.world.app, 'DELETE', '/api/me/totp', { headers: t.ada.headers })
    expect(off.status).toBe(204)
    expect(await ask('192.0.2.201')).toBe('good 192.0.2.201\n')
    await addApp(t.world, t.ada)
    expect(await ask('192.0.2.202')).toBe('badauth\n')
  } finally {
    await replica.close()
    await stopServices(services)
  }
})

test('without the second factor the password is accepted again', async () => {
  expect(await update()).toBe(BAD_AUTH)
  await call(t.world.app, 'DELETE', '/api/me/totp', { headers: t.ada.headers })
  expect(await update()).toBe(good())
})
