/** Zonemaster: the delegation tests that registries use, for a zone that is not delegated yet. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Namespace } from '../support/namespaces.ts'
import { NAME_SERVERS, ROOT_HINTS, ZONE } from './world.ts'

/** In ascending order of severity. */
export const SERIOUS_LEVELS = ['NOTICE', 'WARNING', 'ERROR', 'CRITICAL'] as const

export interface ZonemasterMessage {
  readonly level: string
  readonly testcase: string
  readonly tag: string
  /** The addresses, names and numbers that the message refers to. */
  readonly args: Readonly<Record<string, string | number>>
}

/** Runs all test cases and returns every message of level INFO and higher. */
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

/** Normalises the order of server lists and the letter case of names that test 0x20. */
function canonical(value: string | number): string {
  return String(value).toLowerCase().split(/[,;]/).sort().join(',')
}

/** A message as one line. Equal messages give equal lines. */
export function lineOf({ level, testcase, tag, args }: ZonemasterMessage): string {
  const details = Object.entries(args)
    .map(([name, value]) => `${name}=${canonical(value)}`)
    .sort()
  return [level, testcase, tag, ...details].join(' ')
}
