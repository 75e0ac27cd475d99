import { describe, expect, it } from 'vitest'
import { nameFromText } from '../../src/names/index.ts'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 8020 §2: below a name that does not exist, no name exists', () => {
  const names = ['a.b.c.d', 'x.y', '*.w', 'q.*.v']
  const lines = names.map((name) => `${name} 60 A 192.0.2.1`)
  const ask = asking(zoneFromText('home.test.', lines.join('\n')))

  it.each(names)('every name above %s exists', (name) => {
    const labels = name.split('.')
    for (let depth = 0; depth < labels.length; depth++) {
      const above = [...labels.slice(depth), 'home.test'].join('.')
      expect(ask(above, 'A').rcode).toBe('NOERROR')
    }
  })

  it('and no name beside them', () => {
    for (const name of ['z.home.test', 'z.d.home.test', 'z.c.d.home.test', 'z.y.home.test']) {
      expect(ask(name, 'A').rcode).toBe('NXDOMAIN')
    }
  })
})

describe('RFC 8020 §2: while names are added and removed', () => {
  const zone = zoneFromText('home.test.', 'a.b.c 60 A 192.0.2.1\nx.c 60 A 192.0.2.2')
  const ask = asking(zone)
  const codes = () =>
    ['a.b.c', 'b.c', 'x.c', 'c'].map((name) => ask(`${name}.home.test`, 'A').rcode)
  const version = (serial: bigint) => ({ serial, feedId: 'feed', token: String(serial) })
  const remove = (name: string, serial: bigint) => {
    zone.apply([{ owner: nameFromText(`${name}.home.test.`), rrsets: null }], version(serial))
  }

  it('a name exists as long as a name below it does', () => {
    expect(codes()).toEqual(['NOERROR', 'NOERROR', 'NOERROR', 'NOERROR'])
    remove('a.b.c', 8n)
    expect(codes()).toEqual(['NXDOMAIN', 'NXDOMAIN', 'NOERROR', 'NOERROR'])
    remove('x.c', 9n)
    expect(codes()).toEqual(['NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN'])
  })

  it('the apex always exists', () => {
    expect(ask('home.test', 'A').rcode).toBe('NOERROR')
  })
})
