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

  it('an alias brings the binding and the addresses of its target', () => {
    const { answer, additional } = ask('svc.home.test', 'HTTPS')
    expect(answer).toHaveLength(1)
    expect(additional.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'alice.home.test 60 HTTPS',
      'alice.home.test 60 A',
      'alice.home.test 60 AAAA',
    ])
  })

  it('§2.5: the target "." is the owner, whose binding is there already', () => {
    expect(ask('self.home.test', 'HTTPS').additional).toEqual(['self.home.test 60 A 192.0.2.2'])
  })

  it('a target elsewhere brings nothing', () => {
    expect(ask('away.home.test', 'SVCB').additional).toEqual([])
  })
})
