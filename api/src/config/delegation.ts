/** Where checks of delegations begin. */
import { readFileSync } from 'node:fs'
import { serverFromText } from '@homing/dnsd/client'
import { IANA_ROOT, parseRootHints, RootHintsError, type RootServer } from '../rules/root-hints.ts'
import { ConfigError } from './config-error.ts'
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { isProduction } from './process-settings.ts'

const NAME = 'ROOT_HINTS'
const TAKES =
  'a comma-separated list of the addresses of root servers such as 192.0.2.53 or 127.0.0.1:5353, or a readable file in the format of named.root'
const DNS_PORT = 53

function servers(text: string): readonly RootServer[] | undefined {
  return parse
    .listOf(parse.nameServerAddress)(text)
    ?.map((each) => ({ hostname: '.', ...serverFromText(each) }))
}

/** @throws ConfigError for a file with an invalid line */
function fromFile(text: string): readonly RootServer[] | undefined {
  const file = parse.readableFile(text)
  if (file === undefined) return undefined
  try {
    return parseRootHints(readFileSync(file, 'utf8'))
  } catch (error) {
    if (!(error instanceof RootHintsError)) throw error
    throw new ConfigError(NAME, text, `a valid file of root hints: ${error.message}`)
  }
}

export const rootHints = configGroup(['NODE_ENV', NAME], (variables) => {
  const rootServers = variables.value(
    NAME,
    TAKES,
    (text) => servers(text) ?? fromFile(text),
    IANA_ROOT,
  )
  // A walk uses the port of the root servers for all servers. Users must not choose a port by their delegations.
  if (isProduction(variables) && rootServers.some(({ port }) => port !== DNS_PORT)) {
    throw new ConfigError(NAME, variables.text(NAME), 'port 53 only with NODE_ENV=production')
  }
  return { rootServers }
})
