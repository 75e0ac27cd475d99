/** Names that follow an updated one into a new prefix. */
import { beforeEach, describe, expect, test } from 'vitest'
import { basic, useUpdateWorld } from '../../../test/support/update-world.ts'
import { UpdateNotStored } from '../../feed/address-change.ts'
import { query } from '../../database/sql.ts'

const t = useUpdateWorld()
let nas: string
beforeEach(async () => {
  nas = await t.add(`nas.${t.host}`, { ipv6: '2001:db8:1:2::10' })
})

const FORMS = [
  ['ip6lanprefix', 'myip=192.0.2.7&ip6lanprefix=2001:db8:5:6::/64', '192.0.2.7'],
  ['ipv6prefix', 'myip=192.0.2.7&ipv6prefix=2001:db8:5:6::/64', '192.0.2.7'],
  [
    'an address with its length',
    'myip=192.0.2.7&myipv6=2001:db8:5:6::7/64',
    '192.0.2.7,2001:db8:5:6::7',
  ],
  ['the same in myip', 'myip=2001:db8:5:6::7/64,192.0.2.7', '2001:db8:5:6::7,192.0.2.7'],
] as const

test.each(FORMS)('%s', async (_, search, addresses) => {
  const other = await t.make('other', { ipv6: '2001:db8:1:2::10' })
  const deep = await t.add(`a.b.${t.host}`, { ipv4: '192.0.2.1', ipv6: '2001:db8:1:2::11' })
  const onlyIpv4 = await t.add(`v4.${t.host}`, { ipv4: '192.0.2.1' })
  expect(await t.said(`hostname=${t.host}&${search}`)).toBe(`200 good ${addresses}\n`)
  expect(await t.stored(nas)).toEqual([null, '2001:db8:5:6::10'])
  expect(await t.stored(deep)).toEqual(['192.0.2.1', '2001:db8:5:6::11'])
  expect(await t.stored(onlyIpv4)).toEqual(['192.0.2.1', null])
  expect(await t.stored(other)).toEqual([null, '2001:db8:1:2::10'])
  expect(await t.said(`hostname=${t.host}&${search}`)).toBe(`200 nochg ${addresses}\n`)
})

test('the name itself: kept by a prefix of its own parameter, moved by one in place of its address', async () => {
  await t.said(`hostname=${t.host}&myipv6=2001:db8:1:2::1`)
  await t.said(`hostname=${t.host}&myip=192.0.2.7&ip6lanprefix=2001:db8:5:6::/64`)
  expect(await t.stored()).toEqual(['192.0.2.7', '2001:db8:1:2::1'])
  const moved = `hostname=${t.host}&myip=192.0.2.7&myipv6=2001:db8:7:8::/64`
  expect(await t.said(moved)).toBe('200 good 192.0.2.7,2001:db8:7:8::1\n')
  expect(await t.said(moved)).toBe('200 nochg 192.0.2.7,2001:db8:7:8::1\n')
  expect(await t.stored(nas)).toEqual([null, '2001:db8:7:8::10'])
})

test('a network is not an address: without an interface id nothing is set', async () => {
  expect(await t.said(`hostname=${t.host}&myip=192.0.2.7&myipv6=2001:db8:7:8::/64`)).toBe(
    '200 good 192.0.2.7\n',
  )
  expect(await t.stored()).toEqual(['192.0.2.7', null])
  expect(await t.stored(nas)).toEqual([null, '2001:db8:7:8::10'])
})

test('a following name that already has its addresses counts as updated', async () => {
  const { knex, services } = t.world
  await t.said(`hostname=${t.host}&myip=192.0.2.7&ip6lanprefix=2001:db8:5:6::/64`)
  await t.said(`hostname=${t.host}&myip=192.0.2.7&ip6lanprefix=2001:db8:5:6::/64`)
  await services.callLog.flush()
  const rings = await query(
    knex,
    'select from update_call_rings where domain_id = ? and accepted_at is not null',
    [nas],
  )
  expect(rings).toHaveLength(1)
})

test('the answer is good when a following name changed', async () => {
  expect(await t.said(`hostname=${t.host}&myip=192.0.2.1&ip6lanprefix=2001:db8:5:6::/64`)).toBe(
    '200 good 192.0.2.1\n',
  )
})

describe('single names', () => {
  test('to an address, a prefix, or none', async () => {
    const name = `nas.${t.host}`
    const ask = (value: string) =>
      t.said(`hostname=${t.host}&myip=192.0.2.7&myipv6:${name}=${value}`)
    expect(await ask('2001:db8:9::9')).toBe('200 good 192.0.2.7\n')
    expect(await t.stored(nas)).toEqual([null, '2001:db8:9::9'])
    await ask('2001:db8:a::/64')
    expect(await t.stored(nas)).toEqual([null, '2001:db8:a::9'])
    await ask('')
    expect(await t.stored(nas)).toEqual([null, null])
  })

  test('also outside of the updated one, and never of another account', async () => {
    const other = await t.make('other', { ipv6: '2001:db8:1:2::10' })
    const bob = await t.world.person(`bob-${t.host.split('.')[0]}`)
    const his = await t.make('his', { who: bob, ipv6: '2001:db8:1:2::10' })
    const wishes = `myipv6:${t.fqdn('other')}=2001:db8:a::/64&myipv6:${t.fqdn('his')}=2001:db8:a::/64`
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.7&${wishes}`)).toBe('200 good 192.0.2.7\n')
    expect(await t.stored(other)).toEqual([null, '2001:db8:a::10'])
    expect(await t.stored(his)).toEqual([null, '2001:db8:1:2::10'])
  })
})

test('names of another account below do not change', async () => {
  const bob = await t.world.person(`bob-${t.host.split('.')[0]}`)
  const his = await t.add(`his.${t.host}`, { who: bob, ipv6: '2001:db8:1:2::10' })
  await t.said(`hostname=${t.host}&myip=192.0.2.7&ip6lanprefix=2001:db8:5:6::/64`)
  expect(await t.stored(his)).toEqual([null, '2001:db8:1:2::10'])
})

test('withheld names do not follow', async () => {
  await query(t.world.knex, 'update domains set locked = true where id = ?', [nas])
  await t.said(`hostname=${t.host}&myip=192.0.2.7&ip6lanprefix=2001:db8:5:6::/64`)
  expect(await t.stored(nas)).toEqual([null, '2001:db8:1:2::10'])
})

test('an update token can update only its own name', async () => {
  const authorization = basic('none', await t.token())
  const search = `hostname=${t.host}&myip=192.0.2.7&ip6lanprefix=2001:db8:5:6::/64&myipv6:nas.${t.host}=2001:db8::9`
  expect(await t.said(search, { authorization })).toBe('200 good 192.0.2.7\n')
  expect(await t.stored(nas)).toEqual([null, '2001:db8:1:2::10'])
})

test('when a following name cannot be stored, the router must retry', async () => {
  const { coalescer } = t.world.services
  const submit = coalescer.submit.bind(coalescer)
  coalescer.submit = async (change) => {
    if (change.domainId === nas) throw new UpdateNotStored(new Error('disk full'))
    return submit(change)
  }
  const search = `hostname=${t.host}&myip=192.0.2.7&ip6lanprefix=2001:db8:5:6::/64`
  try {
    expect(await t.said(search)).toBe('503 dnserr\n')
  } finally {
    coalescer.submit = submit
  }
  expect(await t.said(search)).toBe('200 good 192.0.2.7\n')
  expect(await t.stored(nas)).toEqual([null, '2001:db8:5:6::10'])
})
