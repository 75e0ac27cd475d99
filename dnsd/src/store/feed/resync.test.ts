import { describe, expect, it } from 'vitest'
import { resyncReason } from './resync.ts'

const version = { serial: 10n, feedId: 'feed', token: 'ten' }
const held = { version, isIncomplete: false }

function read(serial: bigint, token: string, next?: { serial: bigint; previous: string }) {
  const version = { serial, feedId: 'feed', token }
  const sets =
    next === undefined
      ? []
      : [
          {
            version: { ...version, serial: next.serial },
            previousToken: next.previous,
            changes: [],
          },
        ]
  return { present: version, sets }
}

describe('resyncReason', () => {
  it.each([
    ['nothing new', read(10n, 'ten'), undefined],
    ['the next set', read(11n, 'x', { serial: 11n, previous: 'ten' }), undefined],
    ['more sets', read(99n, 'x', { serial: 11n, previous: 'ten' }), undefined],
    ['another token', read(10n, 'other'), 'history-differs'],
    [
      'the next set of another history',
      read(11n, 'x', { serial: 11n, previous: 'y' }),
      'history-differs',
    ],
    ['a gap', read(12n, 'x', { serial: 12n, previous: 'eleven' }), 'behind-retention'],
    [
      'a gap that names our token',
      read(12n, 'x', { serial: 12n, previous: 'ten' }),
      'behind-retention',
    ],
    ['no set at all', read(12n, 'x'), 'behind-retention'],
    ['an older serial', read(9n, 'nine'), 'serial-went-back'],
    [
      'another feed',
      { ...read(10n, 'ten'), present: { ...version, feedId: 'new' } },
      'feed-changed',
    ],
  ])('%s', (_what, changes, reason) => {
    expect(resyncReason(held, changes, false)).toBe(reason)
  })

  it('an older serial on a standby is only late', () => {
    expect(resyncReason(held, read(9n, 'nine'), true)).toBeUndefined()
    expect(resyncReason(held, read(10n, 'other'), true)).toBe('history-differs')
  })

  it.each([
    ['as it is published', read(10n, 'ten'), false, 'incomplete'],
    [
      'with sets that continue it',
      read(11n, 'x', { serial: 11n, previous: 'ten' }),
      false,
      'incomplete',
    ],
    ['ahead of the standby', read(9n, 'nine'), true, undefined],
  ])('an incomplete zone %s', (_what, changes, isStandby, reason) => {
    expect(resyncReason({ version, isIncomplete: true }, changes, isStandby)).toBe(reason)
  })
})
