import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 8020 §2: where a name does not exist there is nothing below it', () => {
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

  it('and none beside them', () => {
    for (const name of ['z.home.test', 'z.d.home.test', 'z.c.d.home.test', 'z.y.home.test']) {
      expect(ask(name, 'A').rcode).toBe('NXDOMAIN')
    }
  })
})
