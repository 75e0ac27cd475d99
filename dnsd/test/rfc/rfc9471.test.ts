import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

/** A cut with so many name servers below it, each with an IPv6 address, and one beside it. */
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
