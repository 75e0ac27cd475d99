/**
 * Only `outgoing-http` connects to places that users name. Each file that opens connections is listed here, with the
 * reason.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const SRC = new URL('../', import.meta.url)

/** Files that open connections themselves, each with the reason. */
const MAY: Readonly<Record<string, string>> = {
  'integrations/outgoing-http/connection.ts': 'connects to addresses that were checked',
  'integrations/outgoing-http/exchange.ts': 'sends requests on these connections, and opens none',
  'integrations/outside-names.ts': 'looks up names for the outgoing door',
  'integrations/mailer.ts': 'goes to SMTP_URL, which the operator configured',
  'delegation/asker.ts': 'asks name servers at addresses that were checked',
  'forwarder/feed/connection.ts': 'connects to DATABASE_URL, which the operator configured',
  'monitoring/probes/probe-dns.ts': 'asks the name servers that the operator configured',
  'payments/providers/stripe-client.ts': 'calls STRIPE_API_BASE, which the operator configured',
  'process/node-http.ts': 'loads the module for others, whose calls are detected',
  'stack/readiness.ts': 'asks the parts that it has started, before the API is up',
  'stack/dns-probe.ts': 'asks the DNS daemon that it has started',
}

/** Names that open connections or resolve names. Listening, parsing addresses and types do neither. */
const OPENS = [
  /\bfetch\(\s*(?!services\b)/,
  /import (?!type)(?:\w+|\* as \w+) from 'node:(?:https?|http2|net|tls|dns|dgram)'/,
  /import \{[^}]*\b(?:request|get|connect|createConnection|Socket|createSocket|lookup|resolve\w*|Resolver|Agent|WebSocket|EventSource)\b[^}]*\} from 'node:(?:https?|http2|net|tls|dns|dns\/promises|dgram)'/,
  /import \{[^}]*\bask\b[^}]*\} from '@homing\/dnsd\/client'/,
  /from '(?:undici|axios|got|node-fetch|ws|nodemailer|ioredis)'/,
  /\bnew Stripe\(/,
  /\bnew (?:WebSocket|EventSource|XMLHttpRequest)\b/,
  /\b(?:import|getBuiltinModule|load|require)\(\s*'(?:undici|nodemailer|node:(?:https?|http2|net|tls|dns|dgram))/,
  /\bnodeHttp\.(?:request|get|Agent)\b/,
]

function opens(text: string): boolean {
  const lines = text.split('\n')
  const code = lines.filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line)).join('\n')
  // A type import opens no connection.
  const values = code.replaceAll(/\btype \w+,?/g, '')
  return OPENS.some((pattern) => pattern.test(values))
}

test('every file that opens connections is listed', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => opens(readFileSync(new URL(file, SRC), 'utf8')))
  // Silence on the database's own connections is detected.
  expect(files.filter((file) => file !== 'database/silence.ts').sort()).toEqual(
    Object.keys(MAY).sort(),
  )
})

test.each([
  `await fetch('https://example.net')`,
  `import { request } from 'node:https'`,
  `import http from 'node:http'`,
  `import { connect } from 'node:net'`,
  `import { lookup } from 'node:dns/promises'`,
  `import { Agent } from 'undici'`,
  `import { ask, type DnsServer } from '@homing/dnsd/client'`,
  `const s = new WebSocket(url)`,
  `await import('node:http')`,
  `await import('undici')`,
  `process.getBuiltinModule('node:https')`,
  `nodeHttp.get(url)`,
  `const { Agent } = load('undici') as typeof Undici`,
  `const stripe = new Stripe(key)`,
])('%s is detected', (line) => {
  expect(opens(line)).toBe(true)
})

test.each([
  `import { isIP } from 'node:net'`,
  `import { createServer } from 'node:http'`,
  `nodeHttp.createServer(answer)`,
  `import type { Socket } from 'node:net'`,
  `import { isIPv6, type Socket } from 'node:net'`,
  `import type { DnsServer } from '@homing/dnsd/client'`,
  `  // await fetch('x')`,
])('%s is ignored', (line) => {
  expect(opens(line)).toBe(false)
})
