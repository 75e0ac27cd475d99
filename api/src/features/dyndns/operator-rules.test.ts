/** Calls that the operator's settings allow or refuse at the update URLs. */
import { beforeEach, describe, expect, test } from 'vitest'
import { useUpdateWorld } from '../../../test/support/update-world.ts'

const t = useUpdateWorld({ updatePasswords: false, blockedAgents: ['bad router/1'] })
let token: string
beforeEach(async () => {
  token = await t.token()
})

describe('without account passwords', () => {
  test('the right one gets badauth, and stores nothing', async () => {
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.7`)).toBe('401 badauth\n')
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })

  test('a token and a key are accepted', async () => {
    const key = await t.key()
    const search = `hostname=${t.host}&myip=192.0.2.7`
    const said = async (secret: string) => t.said(search, { authorization: `Bearer ${secret}` })
    expect(await said(token)).toBe('200 good 192.0.2.7\n')
    expect(await said(key)).toBe('200 nochg 192.0.2.7\n')
  })
})

describe('a blocked program', () => {
  const from = async (agent: string, path = '/nic/update', search = 'myip=192.0.2.7') => {
    const headers = [`User-Agent: ${agent}`]
    return t.said(search, { path, headers, authorization: `Bearer ${token}` })
  }

  test('in any letter case, with other text around it: badagent, and stores nothing', async () => {
    expect(await from('The BAD Router/1.4 (x)')).toBe('200 badagent\n')
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })

  test('in the words of the dialect', async () => {
    expect(await from('bad router/1', '/update', 'domains=x&token=y')).toBe('200 KO')
    expect(await from('bad router/1', '/api/update', 'zone=x')).toBe('200 badagent\n')
  })

  test('other programs, and one without a name, are accepted', async () => {
    expect(await from('bad router/2')).toBe('200 good 192.0.2.7\n')
    const authorization = `Bearer ${await t.token(await t.make('other'))}`
    expect(await t.said('myip=192.0.2.7', { authorization })).toBe('200 good 192.0.2.7\n')
  })
})
