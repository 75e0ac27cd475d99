/** `docs/reference/environment.md` and the supervisor must list the variables that the loaders of each part read. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { apiLoader } from '../api/src/config/api.ts'
import { DNSD_VARIABLES as PASSED_TO_DNSD } from '../api/src/config/dnsd-variables.ts'
import { forwarderLoader } from '../api/src/config/forwarder.ts'
import {
  databaseLoader,
  migrateLoader,
  nameCheckLoader,
  paymentSetupLoader,
} from '../api/src/config/scripts.ts'
import { supervisorLoader } from '../api/src/config/supervisor.ts'
import { workerLoader } from '../api/src/config/worker.ts'
import { DNSD_VARIABLES } from '../dnsd/src/config.ts'

const READ: [string, readonly string[]][] = [
  ['api', apiLoader.variables],
  ['worker', workerLoader.variables],
  ['dnsd', DNSD_VARIABLES],
  ['forwarder', forwarderLoader.variables],
  ['migrate', migrateLoader.variables],
  ['commands', databaseLoader.variables],
  ['names:check', nameCheckLoader.variables],
  ['payments:setup', paymentSetupLoader.variables],
]

/** The rows of the page's tables with four columns: the variables, and the parts that read them. */
function documented(): { variables: string[]; parts: string[] }[] {
  const page = readFileSync(new URL('../docs/reference/environment.md', import.meta.url), 'utf8')
  return Array.from(page.matchAll(/^\| (`[A-Z].*?) \| (.*?) ?\| .+ \| .+ \|$/gm), (row) => ({
    variables: Array.from(row[1]?.matchAll(/`(\w+)`/g) ?? [], ([, name = '']) => name),
    parts: (row[2] ?? '').split(', '),
  }))
}

describe('the reference of the environment', () => {
  test.each(READ)('says what %s reads', (part, variables) => {
    const said = documented().flatMap((row) => (row.parts.includes(part) ? row.variables : []))
    expect(said.toSorted()).toEqual([...variables].toSorted())
  })

  test('names every variable of the supervisor, and no unknown part', () => {
    const rows = documented()
    const names = new Set(rows.flatMap(({ variables }) => variables))
    expect(supervisorLoader.variables.filter((name) => !names.has(name))).toEqual([])
    const known = new Set(['', ...READ.map(([part]) => part)])
    expect(rows.flatMap(({ parts }) => parts).filter((part) => !known.has(part))).toEqual([])
  })
})

test('the supervisor passes the DNS daemon what it reads', () => {
  expect([...PASSED_TO_DNSD].toSorted()).toEqual([...DNSD_VARIABLES].toSorted())
})

test('public servers get no secrets', () => {
  const secret = /SECRET|TOKEN|PASSWORD|SMTP|STRIPE|PAYPAL/
  for (const variables of [DNSD_VARIABLES, forwarderLoader.variables]) {
    expect(variables.filter((name) => secret.test(name))).toEqual([])
  }
})
