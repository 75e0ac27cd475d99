/**
 * DNS: the cost of dnsd, compared with NSD, Knot, BIND, PowerDNS and a bare packet echo. Sections: `answers` (the
 * table), `million` (a million names), `updates` (a thousand updates per second), `pauses` (of the main
 * thread), `outage` (PostgreSQL stopped), `counting` (the counts of queries, on and off).
 */
import { answers } from './dns/answers.ts'
import { counting } from './dns/counting.ts'
import { million } from './dns/million.ts'
import { optionsOrExit } from './dns/options.ts'
import { outage } from './dns/outage.ts'
import { pauses } from './dns/pauses.ts'
import { updates } from './dns/updates.ts'
import { hasDnsperf } from './support/dnsperf.ts'
import { print } from './support/report.ts'

const RUN = { answers, million, updates, pauses, outage, counting } as const

const options = optionsOrExit(process.argv.slice(2))
if (hasDnsperf()) {
  for (const section of options.sections) await RUN[section](options)
} else {
  print('\ndns: skipped, dnsperf is not installed (Debian package dnsperf)')
}
