import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

/** A cut with this many name servers below it, each with an IPv6 address, and one beside it. */
function delegation(servers: number): string {
  const below = Array.from(
    { length: servers },
    (_, n) => `cut 60 NS ns${n}.cut\nns${n}.cut 60 AAAA 2001:db8::${n + 1}`,
  )
  return [...below, 'cut 60 NS ns.beside', 'ns.beside 60 A 192.0.2.1'].join('\n')
}

describe('RFC 9471 §3: glue in referrals', () => {
  it('§3.1: of servers below the cut comes first, and all of it', () => {
    const reply = asking(zoneFromText('home.test.', delegation(3)))('x.cut.home.test', 'A')
    expect(reply.flags).toBe('qr')
    expect(reply.additional).toEqual([
      'ns0.cut.home.test 60 AAAA 2001:db8::1',
      'ns1.cut.home.test 60 AAAA 2001:db8::2',
      'ns2.cut.home.test 60 AAAA 2001:db8::3',
      'ns.beside.home.test 60 A 192.0.2.1',
    ])
  })

  it('§3.1: TC when not all of it fits', () => {
    const ask = asking(zoneFromText('home.test.', delegation(12)))
    const cut = ask('x.cut.home.test', 'A')
    expect(cut.flags).toBe('qr tc')
    expect(cut.authority).toHaveLength(13)
    expect(cut.additional.length).toBeLessThan(12)
    expect(ask('x.cut.home.test', 'A', { transport: 'tcp' }).additional).toHaveLength(13)
  })

  it('§3.2: no TC for addresses of servers beside it', () => {
    const servers = Array.from(
      { length: 12 },
      (_, n) => `cut 60 NS ns${n}.beside\nns${n}.beside 60 AAAA 2001:db8::${n + 1}`,
    )
    const reply = asking(zoneFromText('home.test.', servers.join('\n')))('x.cut.home.test', 'A')
    expect(reply.flags).toBe('qr')
    expect(reply.authority).toHaveLength(12)
    expect(reply.additional.length).toBeGreaterThan(0)
    expect(reply.additional.length).toBeLessThan(12)
  })
})

describe('RFC 9471 §2.2 and §3.2: glue of sibling zones', () => {
  const ask = asking(
    zoneFromText(
      'home.test.',
      `
      foo    60 NS   ns.bar
      bar    60 NS   ns.bar
      bar    60 NS   ns.foo
      ns.bar 60 A    192.0.2.1
      ns.foo 60 AAAA 2001:db8::2
    `,
    ),
  )

  it('is included, because two zones that name each other could not be reached without it', () => {
    expect(ask('x.foo.home.test', 'A').additional).toEqual(['ns.bar.home.test 60 A 192.0.2.1'])
    expect(ask('x.bar.home.test', 'A').additional).toEqual([
      'ns.bar.home.test 60 A 192.0.2.1',
      'ns.foo.home.test 60 AAAA 2001:db8::2',
    ])
  })

  it('those addresses are not answered themselves', () => {
    const reply = ask('ns.foo.home.test', 'AAAA')
    expect([reply.flags, reply.answer]).toEqual(['qr', []])
    expect(reply.authority).toEqual(['foo.home.test 60 NS ns.bar.home.test'])
  })

  it('glue of the zone itself comes first if not all fits', () => {
    const siblings = Array.from(
      { length: 12 },
      (_, n) => `cut 60 NS ns${n}.sib\nns${n}.sib 60 AAAA 2001:db8::${n + 1}`,
    )
    const text = [...siblings, 'sib 60 NS ns0.sib', 'cut 60 NS ns.cut', 'ns.cut 60 A 192.0.2.1']
    const reply = asking(zoneFromText('home.test.', text.join('\n')))('x.cut.home.test', 'A')
    expect(reply.flags).toBe('qr')
    expect(reply.additional[0]).toBe('ns.cut.home.test 60 A 192.0.2.1')
    expect(reply.additional.length).toBeLessThan(13)
  })
})

describe('RFC 9471 §3.1: glue belongs to the referral, not to the question', () => {
  it('one RRset too many for the message sets TC, for any query', () => {
    const many = Array.from({ length: 40 }, (_, n) => `ns.cut 60 A 192.0.2.${n}`)
    const ask = asking(zoneFromText('home.test.', ['cut 60 NS ns.cut', ...many].join('\n')))
    for (const type of ['A', 'NS', 'ANY', 'TXT']) {
      const reply = ask('x.cut.home.test', type)
      expect([reply.flags, reply.authority.length, reply.additional]).toEqual(['qr tc', 1, []])
    }
    expect(ask('x.cut.home.test', 'A', { edns: { payloadBytes: 1232 } }).flags).toBe('qr')
  })
})
