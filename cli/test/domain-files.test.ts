import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { domain } from './fixtures.ts'
import { useKeyedServer } from './keyed-server.ts'
import { homing, temporaryFolder } from './support.ts'

const t = useKeyedServer()
const BULK = 'POST /api/domains/bulk'

function fileOf(text: string, name = 'domains.csv'): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, text)
  return file
}

const verdict = (index: number, fqdn: string, more: object = {}) => ({
  index,
  op: 'create',
  ok: true,
  id: null,
  fqdn,
  ...more,
})
const OWNED = { 'GET /api/domains': { body: [domain()] } }

describe('domains export', () => {
  const CSV = 'domain,zone\r\nhome.example.net,example.net\r\n'
  const replies = {
    'GET /api/domains/export': { headers: { 'content-type': 'text/csv' }, body: CSV },
  }

  test('prints the file, or writes it', async () => {
    const printed = await t.run(replies, 'domains', 'export')
    expect(printed).toEqual({ exitCode: 0, stdout: `${CSV.trimEnd()}\n`, stderr: '' })
    const file = join(temporaryFolder(), 'out.csv')
    const written = await t.run({}, 'domains', 'export', '--output', file)
    expect(written).toMatchObject({ exitCode: 0, stdout: '', stderr: `Written: ${file}\n` })
    expect(readFileSync(file, 'utf8')).toBe(CSV)
    expect(t.asked[0]?.request).toBe('GET /api/domains/export?format=csv')
  })

  test('--output and --json exclude each other, as in the other exports', async () => {
    const file = join(temporaryFolder(), 'out.csv')
    const ended = await t.run(replies, 'domains', 'export', '--output', file, '--json')
    expect(ended).toMatchObject({ exitCode: 64, stdout: '' })
    expect(ended.stderr).toContain('cannot be used together')
    expect(t.asked).toEqual([])
  })
})

describe('domains import', () => {
  test('registers new domains, and changes those that the account has', async () => {
    const file = fileOf(
      'domain,ipv4,ipv6,ttl\nhome.example.net,192.0.2.9,,60\nlab.example.net,192.0.2.8,2001:db8::8,60\n',
    )
    const verdicts = [
      verdict(0, 'home.example.net', { op: 'change', id: '42' }),
      verdict(1, 'lab.example.net', { id: '43' }),
    ]
    const ended = await t.run(
      { ...OWNED, [BULK]: { body: { applied: true, verdicts } } },
      'domains',
      'import',
      file,
    )
    expect(ended).toEqual({
      exitCode: 0,
      stdout: 'home.example.net\tchange\nlab.example.net\tcreate\n',
      stderr: 'Importing 2 domains.\nImported 2 domains.\n',
    })
    expect(JSON.parse(t.asked[1]?.body ?? '')).toEqual({
      operations: [
        { op: 'change', fqdn: 'home.example.net', record_ipv4: '192.0.2.9', record_ipv6: null },
        {
          op: 'create',
          fqdn: 'lab.example.net',
          record_ipv4: '192.0.2.8',
          record_ipv6: '2001:db8::8',
        },
      ],
      dry_run: false,
    })
  })

  test('shows the refused lines with their numbers, and fails', async () => {
    const file = fileOf('domain\n\nok.example.net\n-bad-.example.net\n')
    const refusal = { ok: false, code: 'name-not-allowed', detail: 'A hyphen.', fqdn: null }
    const problem = {
      status: 422,
      code: 'batch-refused',
      detail: 'Nothing was changed.',
      verdicts: [verdict(0, 'ok.example.net'), verdict(1, '', refusal)],
    }
    const replies = { ...OWNED, [BULK]: { status: 422, body: problem } }
    const ended = await t.run(replies, 'domains', 'import', file, '--dry-run')
    expect(ended).toEqual({
      exitCode: 8,
      stdout: '',
      stderr:
        'Checking 2 domains.\n4\t-bad-.example.net\tname-not-allowed\tA hyphen.\nNothing was changed: 1 line of 2 cannot be imported.\n',
    })
    const json = await t.run({}, 'domains', 'import', file, '--json')
    expect(json).toMatchObject({ exitCode: 8, stdout: '' })
    expect(JSON.parse(json.stderr)).toMatchObject({
      code: 'batch-refused',
      verdicts: [{ line: 4, fqdn: '-bad-.example.net' }],
    })
  })

  test.each([
    ['domain,color\nx.example.net,red\n', 'Line 2: unknown field "color".'],
    ['zone\nexample.net\n', 'The first line must name the columns'],
    ['domain\n"x\n', 'The file is not valid CSV: line 2'],
    ['[{"domain": 4}]', 'Line 1: domain must be a text.'],
    ['[{"zone": "x"}]', 'Line 1: domain is missing.'],
    ['[', 'The file is not valid JSON.'],
    ['domain\n', 'The file has no domains.'],
    [`domain\n${'x.example.net\n'.repeat(501)}`, 'The file has 501 domains.'],
  ])('a file that cannot be read is refused before any call: %#', async (text, message) => {
    const ended = await t.run({}, 'domains', 'import', fileOf(text))
    expect(ended.exitCode).toBe(8)
    expect(ended.stderr).toContain(message)
    expect(t.asked).toEqual([])
  })
})

/** A server that loses its first response, and then answers by the key as the service does. */
async function losingServer() {
  const keys: (string | undefined)[] = []
  const server = createServer((request: IncomingMessage, response) => {
    keys.push(String(request.headers['idempotency-key']))
    request.resume().on('end', () => {
      if (keys.length === 1) {
        request.socket.destroy()
        return
      }
      const isFirst = keys.length === 2
      const problem = { status: 409, code: 'request-in-progress', detail: 'In progress.' }
      response.writeHead(isFirst ? 409 : 201, {
        'content-type': 'application/json',
        'retry-after': '0',
      })
      response.end(JSON.stringify(isFirst ? problem : domain()))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { keys, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

test('a registration whose connection is lost is repeated with the same key', async () => {
  const server = await losingServer()
  try {
    const env = { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url }
    const ended = await homing(['domains', 'add', 'home.example.net'], env)
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'home.example.net\t192.0.2.1\n' })
    expect(server.keys).toHaveLength(3)
    expect(new Set(server.keys).size).toBe(1)
    expect(server.keys[0]).toMatch(/^[\w-]{36}$/)
  } finally {
    server.close()
  }
})
