/*
 * Compares the look-up in the tree with a model without a tree: a list of names, searched label by label as in RFC 1034
 * §4.3.2 and RFC 4592 §3.3.1.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameFromText, nameKey, TYPE } from '../names/index.ts'
import { Zone, type OwnerState } from '../zone/index.ts'
import { find } from './find.ts'

const apex = nameFromText('test.')
const seconds = { refreshSeconds: 1, retrySeconds: 1, expireSeconds: 1, minimumSeconds: 1 }
const soa = { mname: apex, rname: apex, ...seconds, ttlSeconds: 1 }

/** The contents of a name: nothing, an address, a delegation or a redirection. */
type Content = 'empty' | 'address' | 'cut' | 'redirection'

/** A published name: its labels from the apex down, and its contents. */
interface Published {
  readonly path: readonly string[]
  readonly content: Content
}

const wireOf = (path: readonly string[]) => nameFromText([...path].reverse().join('.'), apex)

const RDATA: Record<Content, { type: number; rdata: Buffer } | undefined> = {
  empty: undefined,
  address: { type: TYPE.A, rdata: Buffer.alloc(4) },
  cut: { type: TYPE.NS, rdata: apex },
  redirection: { type: TYPE.DNAME, rdata: apex },
}

function zoneOf(names: readonly Published[]): Zone {
  const zone = new Zone(apex, { serial: 1n, feedId: 'feed', token: 'a' }, soa)
  const states = names.map(({ path, content }): OwnerState => {
    const one = RDATA[content]
    const rrsets = one === undefined ? [] : [{ type: one.type, ttlSeconds: 1, rdata: [one.rdata] }]
    return { owner: wireOf(path), rrsets }
  })
  zone.apply(states, { serial: 2n, feedId: 'feed', token: 'b' })
  return zone
}

const begins = (path: readonly string[], start: readonly string[]) =>
  start.every((label, depth) => path[depth] === label)

/** The expected kind, from the list only. */
function modelled(names: readonly Published[], asked: readonly string[], type: number): string {
  const contentOf = (path: readonly string[]) =>
    names.find((one) => one.path.join('.') === path.join('.'))?.content
  const exists = (path: readonly string[]) =>
    path.length === 0 || names.some((one) => begins(one.path, path))
  for (let depth = 1; depth <= asked.length; depth++) {
    const above = asked.slice(0, depth)
    const isItself = depth === asked.length
    const content = contentOf(above)
    if (content === 'cut' && !(isItself && type === TYPE.DS)) return 'delegation'
    if (content === 'redirection' && !isItself) return 'redirection'
    if (!exists(above)) {
      return exists([...asked.slice(0, depth - 1), '*']) ? 'wildcard' : 'absent'
    }
  }
  return 'name'
}

describe('find', () => {
  it('finds what the sections of the RFCs say, in any zone', () => {
    const path = fc.array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 4 })
    const content = fc.constantFrom<Content>('empty', 'address', 'address', 'cut', 'redirection')
    const names = fc.uniqueArray(fc.record({ path, content }), {
      maxLength: 7,
      selector: (one) => one.path.join('.'),
    })
    const type = fc.constantFrom(TYPE.A, TYPE.DS)
    const kinds = new Map<string, number>()
    fc.assert(
      fc.property(names, path, type, (published, asked, qtype) => {
        const { kind } = find(zoneOf(published), nameKey(wireOf(asked)), qtype)
        expect(kind).toBe(modelled(published, asked, qtype))
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }),
      { seed: 1034, numRuns: 5000 },
    )
    // Each kind must occur, otherwise the property would prove little.
    expect([...kinds.keys()].sort()).toEqual([
      'absent',
      'delegation',
      'name',
      'redirection',
      'wildcard',
    ])
  })
})
