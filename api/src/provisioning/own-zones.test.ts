/** What a deployment with other ZONES or NAMESERVERS does to users' own zones. */
import { beforeAll, expect, test } from 'vitest'
import { useZoneWorld } from '../../test/support/zone-world.ts'
import { migrateLoader } from '../config/scripts.ts'
import { provision } from './provision.ts'
import type { VanityStatus } from '@homing/openapi'

const t = useZoneWorld()
const PASSWORD = 'nine wild geese at dusk'

/** A deployment of this environment. */
const deploy = (nameservers: string, zones = 'homing.test,eu.homing.test') =>
  provision(
    migrateLoader.load({ ADMIN_PASSWORD: PASSWORD, NAMESERVERS: nameservers, ZONES: zones }),
    t.world.feed.url,
    { keepsPassword: false },
  )

const SAME = 'ns1.homing.test/127.0.0.1,ns2.homing.test/127.0.0.1'
const ns = (domain: string) => ({
  type: 'NS',
  ttl: 3600,
  rdata: [`ns1.${domain}.`, `ns2.${domain}.`],
})
const a = (ip: string) => ({ type: 'A', ttl: 3600, rdata: [ip] })

beforeAll(() => deploy(SAME))

test('changed addresses rewrite the glue of vanity name servers, and their owners are told', async () => {
  const [domain, using] = [t.freshDomain(), t.freshDomain('using')]
  await t.read<VanityStatus>(t.eve, 'POST', '/api/vanity-ns/setup', { domain })
  await t.claim(t.eve, using, { uses_vanity: true })
  await t.claim(t.mia, domain)
  await deploy(SAME)
  expect(await t.mails(t.eve)).toEqual([])
  await deploy('ns1.homing.test/192.0.2.7/2001:db8::7,ns2.homing.test/192.0.2.8')
  expect(await t.content(domain)).toEqual({
    [domain]: [
      {
        type: 'NS',
        ttl: 3600,
        rdata: ['ns1', 'ns2']
          .flatMap((label) => [`${label}.${domain}.`])
          .concat(['ns1.homing.test.', 'ns2.homing.test.']),
      },
    ],
    [`ns1.${domain}`]: [a('192.0.2.7'), { type: 'AAAA', ttl: 3600, rdata: ['2001:db8::7'] }],
    [`ns2.${domain}`]: [a('192.0.2.8')],
  })
  expect(await t.content(using)).toEqual({ [using]: [ns(domain)] })
  expect(await t.mails(t.eve)).toMatchObject([
    {
      event: 'addresses',
      zone: domain,
      servers: [
        { hostname: `ns1.${domain}`, addresses: ['192.0.2.7', '2001:db8::7'] },
        { hostname: `ns2.${domain}`, addresses: ['192.0.2.8'] },
      ],
    },
  ])
  expect(await t.mails(t.mia)).toEqual([])
  expect(await t.served('*.verify.homing.test')).toMatchObject([
    { rdata: ['192.0.2.7', '192.0.2.8'] },
    { rdata: ['2001:db8::7'] },
  ])
  await deploy(SAME)
})

test('other host names replace those of zones that use the service’s name servers', async () => {
  const [domain, waiting] = [t.freshDomain(), t.freshDomain('waiting')]
  await t.active(t.eve, domain)
  await t.claim(t.eve, waiting)
  await deploy('ns7.homing.test/127.0.0.1')
  for (const name of [domain, waiting]) {
    expect(await t.content(name)).toEqual({
      [name]: [{ type: 'NS', ttl: 3600, rdata: ['ns7.homing.test.'] }],
    })
  }
  await deploy(SAME)
})

test('a proved zone cannot be a zone of the service, and a claim does not prevent one', async () => {
  const [proved, claimed] = [t.freshDomain(), t.freshDomain('claimed')]
  await t.active(t.eve, proved)
  const { id } = await t.claim(t.eve, claimed)
  await expect(deploy(SAME, `homing.test,${proved}`)).rejects.toThrow(
    `ZONES: ${proved} is a user's own zone`,
  )
  const { zones } = await deploy(SAME, `homing.test,${claimed}`)
  expect(zones).toContainEqual({ zone: claimed, outcome: 'created', kept: [] })
  expect(await t.read(t.eve, 'GET', `/api/zones/${id}`)).toMatchObject({ state: 'expired' })
  expect((await t.refused(t.eve, 'POST', '/api/zones', { domain: claimed })).code).toBe(
    'name-not-allowed',
  )
})
