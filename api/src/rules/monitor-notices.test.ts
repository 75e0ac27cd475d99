import { describe, expect, test } from 'vitest'
import { decideNotices, type WaitingNotice } from './monitor-notices.ts'

let next = 0
function notice(fields: Partial<WaitingNotice>): WaitingNotice {
  next += 1
  return {
    id: `n${next}`,
    monitorId: 'm1',
    message: 'down',
    overdueMs: 0,
    state: 'down',
    notifiesDown: true,
    isPresentCertificate: true,
    lastMessage: null,
    lastDownMs: null,
    ...fields,
  }
}

/** What becomes of each notification, in order. */
function fates(...notices: readonly WaitingNotice[]): string[] {
  const { mails, skipped, postponed } = decideNotices(notices)
  return notices.map(({ id }) => {
    const mail = mails.find((ids) => ids.includes(id))
    if (mail !== undefined) return mail.length === 1 ? 'sent' : 'merged'
    if (skipped.includes(id)) return 'skipped'
    return postponed.find((each) => each.id === id)?.byMs.toString() ?? 'waits'
  })
}

const MINUTE = 60_000

describe('one monitor', () => {
  test('down is sent when it is due', () => {
    expect(fates(notice({}))).toEqual(['sent'])
    expect(fates(notice({ overdueMs: -1 }))).toEqual(['waits'])
  })

  test.each(['up', 'off', 'stopped', 'pending'] as const)(
    'down is not sent when it is %s',
    (state) => {
      expect(fates(notice({ state }))).toEqual(['skipped'])
    },
  )

  test.each(['unknown', 'maintenance'] as const)('down waits while it is %s', (state) => {
    expect(fates(notice({ state }))).toEqual([`${MINUTE}`])
  })

  test('down and up again before the mail: neither is sent', () => {
    const up = notice({ message: 'up', state: 'up', overdueMs: -MINUTE })
    expect(fates(notice({ state: 'up' }), up)).toEqual(['skipped', 'skipped'])
  })

  test('up and down again before the mail: the owner knows that it is down', () => {
    const known = { lastMessage: 'down', lastDownMs: 20 * MINUTE } as const
    const both = [notice({ message: 'up', ...known }), notice({ ...known, overdueMs: -MINUTE })]
    expect(fates(...both)).toEqual(['skipped', 'skipped'])
  })

  test('down twice before the mail, because mails about up are off: the later one is sent', () => {
    expect(fates(notice({ overdueMs: 10 }), notice({}))).toEqual(['skipped', 'sent'])
  })

  test('up is sent only after down was', () => {
    const up = { message: 'up', state: 'up' } as const
    expect(fates(notice({ ...up, lastMessage: 'down' }))).toEqual(['sent'])
    expect(fates(notice({ ...up, lastMessage: 'up' }))).toEqual(['skipped'])
    expect(fates(notice(up))).toEqual(['skipped'])
    expect(fates(notice({ ...up, notifiesDown: false }))).toEqual(['sent'])
  })

  test('a second down within ten minutes comes later', () => {
    const lastDownMs = 4 * MINUTE
    expect(fates(notice({ lastMessage: 'up', lastDownMs }))).toEqual([`${6 * MINUTE}`])
    expect(fates(notice({ lastMessage: 'up', lastDownMs: 10 * MINUTE }))).toEqual(['sent'])
  })

  test('a certificate that was renewed is not mentioned', () => {
    const certificate = { message: 'certificate', state: 'up' } as const
    expect(fates(notice(certificate))).toEqual(['sent'])
    expect(fates(notice({ ...certificate, isPresentCertificate: false }))).toEqual(['skipped'])
  })
})

describe('several monitors', () => {
  const downs = (count: number, overdueMs: number) =>
    Array.from({ length: count }, (_, n) => notice({ monitorId: `m${n}`, overdueMs }))
  const others = (count: number, overdueMs: number) =>
    Array.from({ length: count }, (_, n) => notice({ monitorId: `x${n}`, overdueMs }))

  test('five have mails of their own, six have one together', () => {
    expect(fates(...downs(5, 0))).toEqual(Array(5).fill('sent'))
    expect(fates(...downs(6, 0))).toEqual(Array(6).fill('merged'))
  })

  test('the first wait for the others, for a minute', () => {
    expect(fates(...downs(2, 0), ...others(4, -20_000))).toEqual(Array(6).fill('waits'))
    expect(fates(...downs(2, 0), ...others(3, -20_000))).toEqual([
      'sent',
      'sent',
      ...Array<string>(3).fill('waits'),
    ])
    expect(fates(...downs(2, MINUTE), ...others(4, -20_000)).slice(0, 2)).toEqual(['sent', 'sent'])
    // Postponed by the cool-down.
    expect(fates(...downs(2, 0), ...others(4, -5 * MINUTE)).slice(0, 2)).toEqual(['sent', 'sent'])
  })

  test('a test is sent at once and alone', () => {
    const asked = notice({ monitorId: 'm9', message: 'test' })
    expect(fates(asked, ...downs(6, 0))).toEqual(['sent', ...Array<string>(6).fill('merged')])
    expect(fates(asked, ...downs(2, 0), ...others(4, -1))[0]).toBe('sent')
  })
})
