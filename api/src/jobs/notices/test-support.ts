/** The mails that owners requested, in tests: an account world, a clock, and what a job sends. */
import type { NotificationChange } from '@homing/openapi'
import { beforeEach, expect } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import type { Caller } from '../../../test/support/api-world.ts'
import { runJobs } from '../../../test/support/mail.ts'
import { query, type SqlValue } from '../../database/sql.ts'
import type { NoticeServices } from './mail-due.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** An account world without domains and API keys before each test. */
export function useNoticeWorld() {
  const t = useAccountWorld()

  const sql = (text: string, ...bindings: SqlValue[]) => query(t.world.knex, text, bindings)
  const pass = (ms: number) => (t.clock = new Date(t.clock.getTime() + ms))
  const ago = (ms: number) => new Date(t.clock.getTime() - ms)
  const wish = (change: NotificationChange, who: Caller = t.ada) =>
    t.as(who.headers, 'PUT', '/api/me/notifications', change)

  /** Subjects and texts of the mails that a job sends. */
  async function mailsOf(job: (services: NoticeServices) => Promise<number>): Promise<string[]> {
    t.mailer.sent.length = 0
    const count = await job(t.world.services)
    await runJobs(t.world.services, t.mailer)
    expect(t.mailer.sent).toHaveLength(count)
    return t.mailer.sent.map(({ to, subject, text }) =>
      `${to} ${subject} ${text}`.replaceAll(/\s+/g, ' '),
    )
  }

  beforeEach(async () => {
    await sql('delete from domains')
    await sql('delete from api_keys')
  })
  return { t, sql, pass, ago, wish, mailsOf }
}
