/** Zonemaster: the tests that registries hold delegations to, for a zone that is not yet delegated. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Namespace } from '../support/namespaces.ts'
import { NAME_SERVERS, ROOT_HINTS, ZONE } from './world.ts'

/** In the order of their weight. */
export const SERIOUS_LEVELS = ['NOTICE', 'WARNING', 'ERROR', 'CRITICAL'] as const

export interface ZonemasterMessage {
  readonly level: string
  readonly testcase: string
  readonly tag: string
  /** What it was found at: addresses, names and numbers. */
  readonly args: Readonly<Record<string, string | number>>
}

/** Runs all test cases and gives every message from INFO on. */
export async function runZonemaster(
  client: Namespace,
  folder: string,
): Promise<readonly ZonemasterMessage[]> {
  const hints = join(folder, 'root.hints')
  writeFileSync(hints, ROOT_HINTS)
  const servers = Object.entries(NAME_SERVERS).flatMap(([name, addresses]) =>
    addresses.flatMap((address) => ['--ns', `${name}/${address}`]),
  )
  const manner = ['--json', '--level', 'INFO', '--no-progress', '--hints', hints]
  const printed = await client.run('zonemaster-cli', ...manner, ...servers, ZONE)
  return JSON.parse(printed) as ZonemasterMessage[]
}

/** Lists of servers come in any order, and letters whose case is tried in any case. */
function canonical(value: string | number): string {
  return String(value).toLowerCase().split(/[,;]/).sort().join(',')
}

/** A message as one line, the same for what is the same. */
export function lineOf({ level, testcase, tag, args }: ZonemasterMessage): string {
  const details = Object.entries(args)
    .map(([name, value]) => `${name}=${canonical(value)}`)
    .sort()
  return [level, testcase, tag, ...details].join(' ')
}
