/** The required behaviour of the service during a PostgreSQL outage, for clients, resolvers and users. */
import { expect } from 'vitest'
import { ASKED, OUTAGE_MS, type OutageReport, type Probe } from './outage.ts'

/** Clients wait longer than this: most routers time out after 30 s. */
const ANSWER_LIMIT_MS = 10_000

function tell(how: string, report: OutageReport): void {
  const { dns, visits, updates, acknowledged, probes, recoveryMs, lost } = report
  const longestMs = Math.max(updates.longestMs, ...probes.map(({ ms }) => ms))
  process.stdout.write(
    `PostgreSQL ${how} for ${OUTAGE_MS / 1_000} s: ${dns.asked} DNS questions, ${dns.failed.length} failed; ` +
      `${visits.asked} visits of a web forward, ${visits.broken + visits.wrong.length} failed; ${updates.sent} updates sent, ` +
      `${updates.acknowledged} acknowledged (${acknowledged.during} meanwhile), ${updates.refused} answered 503, ` +
      `${updates.broken} cut off; longest answer ${(longestMs / 1000).toFixed(1)} s, ` +
      `recovered after ${(recoveryMs / 1000).toFixed(1)} s; lost: ${lost.length}\n`,
  )
}

/** The parts of a probe's response that are specified. */
function conductOf({ what, status, body, retryAfter }: Probe): string {
  if (what === 'health') return `${what}: ${status} ${JSON.parse(body).status}`
  const said = body.startsWith('{') ? JSON.parse(body).code : body.trim()
  return `${what}: ${status} ${said}, ${Number(retryAfter) > 0 ? 'try again' : 'no word of trying again'}`
}

const CONDUCT = new Set([
  'health: 503 unavailable',
  'a list of names: 503 unavailable, try again',
  'signing in: 503 unavailable, try again',
  'an update: 503 dnserr, try again',
  'an update with a wrong password: 503 dnserr, try again',
])

/** Prints the results and compares them with the requirements. */
export function expectGoodConduct(how: string, report: OutageReport): void {
  tell(how, report)
  const { dns, visits, updates, acknowledged, probes, ended, lost } = report
  expect(dns.failed).toEqual([])
  expect(dns.asked).toBeGreaterThan(ASKED)
  expect([visits.broken, visits.wrong]).toEqual([0, []])
  expect(visits.asked).toBeGreaterThan(ASKED)
  expect(new Set(probes.map(conductOf))).toEqual(CONDUCT)
  expect(updates.wrong).toEqual([])
  expect(updates.broken).toBe(0)
  expect(updates.refused).toBeGreaterThan(0)
  expect(acknowledged.during).toBe(0)
  expect(acknowledged.after).toBeGreaterThan(0)
  expect(Math.max(updates.longestMs, ...probes.map(({ ms }) => ms))).toBeLessThan(ANSWER_LIMIT_MS)
  expect(ended).toEqual([])
  expect(lost).toEqual([])
}
