/**
 * NSD, Knot and BIND with the benchmark's master file: one worker each, no response rate limits, no logging,
 * and minimal answers, as dnsd gives them.
 */
import { basename, dirname } from 'node:path'
import { fileServer, writeConfig } from './dns-contender.ts'
import { ZONE } from './dns-mix.ts'

export const nsd = fileServer({
  name: 'nsd',
  program: 'nsd',
  debianPackage: 'nsd',
  configure: (zone, folder, port) => {
    const file = writeConfig(folder, 'nsd.conf', [
      'server:',
      `  ip-address: 127.0.0.1@${port}`,
      '  server-count: 1',
      '  username: ""',
      `  zonesdir: "${dirname(zone.masterFile)}"`,
      '  database: ""',
      `  pidfile: "${folder}/nsd.pid"`,
      `  xfrdfile: "${folder}/xfrd.state"`,
      `  zonelistfile: "${folder}/zone.list"`,
      `  xfrdir: "${folder}"`,
      `  logfile: "${folder}/nsd.log"`,
      '  minimal-responses: yes',
      '  rrl-ratelimit: 0',
      'remote-control:',
      '  control-enable: no',
      'zone:',
      `  name: ${ZONE}`,
      `  zonefile: ${basename(zone.masterFile)}`,
    ])
    return ['-d', '-c', file]
  },
})

export const knot = fileServer({
  name: 'knot',
  program: 'knotd',
  debianPackage: 'knot',
  configure: (zone, folder, port) => {
    const file = writeConfig(folder, 'knot.conf', [
      'server:',
      `  listen: 127.0.0.1@${port}`,
      `  rundir: ${folder}`,
      '  udp-workers: 1',
      '  tcp-workers: 1',
      '  background-workers: 1',
      'database:',
      `  storage: ${folder}`,
      'log:',
      '  - target: stderr',
      '    any: error',
      'zone:',
      `  - domain: ${ZONE}`,
      `    storage: ${dirname(zone.masterFile)}`,
      `    file: ${basename(zone.masterFile)}`,
      '    zonefile-sync: -1',
      '    journal-content: none',
    ])
    return ['-c', file]
  },
})

export const bind = fileServer({
  name: 'bind',
  program: 'named',
  debianPackage: 'bind9',
  configure: (zone, folder, port) => {
    const file = writeConfig(folder, 'named.conf', [
      'options {',
      `  directory "${folder}";`,
      `  listen-on port ${port} { 127.0.0.1; };`,
      '  listen-on-v6 { none; };',
      '  recursion no;',
      '  dnssec-validation no;',
      '  minimal-responses yes;',
      '  notify no;',
      '  pid-file none;',
      '  lock-file none;',
      `  session-keyfile "${folder}/session.key";`,
      '};',
      'controls { };',
      'logging { category default { null; }; };',
      `zone "${ZONE}" { type primary; file "${zone.masterFile}"; };`,
    ])
    return ['-g', '-n', '1', '-U', '1', '-c', file]
  },
})
