import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 9460 §4.1: additional records of service bindings', () => {
  const ask = asking(
    zoneFromText(
      'home.test.',
      `
    alice  60 A     192.0.2.1
    alice  60 AAAA  2001:db8::1
    alice  60 HTTPS 1 . alpn=h2
    svc    60 HTTPS 0 alice
    self   60 HTTPS 1 . alpn=h2
    self   60 A     192.0.2.2
    away   60 SVCB  1 elsewhere.example. alpn=h2
  `,
    ),
  )

  it('an alias includes the binding and the addresses of its target', () => {
    const { answer, additional } = ask('svc.home.test', 'HTTPS')
    expect(answer).toHaveLength(1)
    expect(additional.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'alice.home.test 60 HTTPS',
      'alice.home.test 60 A',
      'alice.home.test 60 AAAA',
    ])
  })

  it('§2.5: the target "." is the owner, whose binding is already included', () => {
    expect(ask('self.home.test', 'HTTPS').additional).toEqual(['self.home.test 60 A 192.0.2.2'])
  })

  it('a target in another zone includes nothing', () => {
    expect(ask('away.home.test', 'SVCB').additional).toEqual([])
  })
})

describe('RFC 9460 §2.4.2 and §4.1: alias mode', () => {
  const ask = asking(
    zoneFromText(
      'home.test.',
      `
      @      60 HTTPS 0 pool
      pool   60 HTTPS 1 . alpn=h2,h3 port=8443 ipv4hint=192.0.2.1
      pool   60 A     192.0.2.1
      off    60 SVCB  0 .
      chain  60 HTTPS 0 @
      *.w    60 HTTPS 1 . alpn=h2
      c      60 CNAME @
    `,
    ),
  )

  it('at the apex, where a CNAME is not allowed', () => {
    const reply = ask('home.test', 'HTTPS')
    expect([reply.rcode, reply.flags, reply.answer.length]).toEqual(['NOERROR', 'qr aa', 1])
    expect(reply.additional).toHaveLength(2)
  })

  it('is not followed in the answer section', () => {
    expect(ask('chain.home.test', 'HTTPS').answer).toHaveLength(1)
    expect(ask('off.home.test', 'SVCB').additional).toEqual([])
  })

  it('over a CNAME, and from a wildcard', () => {
    expect(ask('c.home.test', 'HTTPS').answer).toHaveLength(2)
    expect(ask('x.w.home.test', 'HTTPS').answer[0]).toContain('x.w.home.test 60 HTTPS')
  })
})
