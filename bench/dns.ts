/**
 * DNS: what dnsd costs beside NSD, Knot, BIND, PowerDNS and a bare echo of packets. In sections:
 * `answers` (the table), `million` (a million names), `updates` (while 1,000 arrive a second), `outage` (PostgreSQL stopped).
 */
import { answers } from './dns/answers.ts'
import { optionsOrExit, type Section } from './dns/options.ts'
import { hasDnsperf } from './support/dnsperf.ts'
import { print } from './support/report.ts'

const RUN: Readonly<Partial<Record<Section, typeof answers>>> = { answers }

const options = optionsOrExit(process.argv.slice(2))
if (hasDnsperf()) {
  for (const section of options.sections) await RUN[section]?.(options)
} else {
  print('\ndns: nothing is measured, needs dnsperf (Debian package dnsperf)')
}
