/** Calls over HTTP to a service that people reach over HTTPS: many routers follow no redirect, and some have no TLS. */
import type { UpdateCall } from '@homing/openapi'
import { beforeEach, expect, test } from 'vitest'
import { useUpdateWorld } from '../../../test/support/update-world.ts'

const t = useUpdateWorld({
  publicUrl: new URL('https://dns.example.net'),
  trustProxy: ['::1', '127.0.0.1'],
})
let authorization: string
beforeEach(async () => {
  authorization = `Bearer ${await t.token()}`
})

/** The hint about the last call, which its owner sees. */
async function lastHint() {
  await t.world.services.callLog.flush()
  const url = `/api/domains/${t.hostId}/update-calls`
  const host = 'dns.example.net'
  const answer = await t.world.app.inject({ url, headers: { ...t.ada.headers, host } })
  return answer.json<UpdateCall[]>()[0]?.hint
}

test('are answered without a redirect, and the owner sees that they were not encrypted', async () => {
  const answer = await t.ask(`hostname=${t.host}&myip=192.0.2.7`, { authorization })
  expect(answer.body).toBe('good 192.0.2.7\n')
  for (const name of ['location', 'strict-transport-security']) {
    expect(answer.headers.has(name)).toBe(false)
  }
  expect(await lastHint()).toBe('not-encrypted')
})

test('that a proxy received over HTTPS were encrypted', async () => {
  const headers = ['X-Forwarded-Proto: https', 'X-Forwarded-For: 198.51.100.7']
  await t.ask(`hostname=${t.host}&myip=192.0.2.8`, { authorization, headers })
  expect(await lastHint()).toBeNull()
})
