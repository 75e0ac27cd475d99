/**
 * Records from outside: created with the API in every type, resolved with kdig, exported to a file that BIND checks, and
 * imported again.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { idOf, makePro } from './support/forwards.ts'
import { eventually } from './support/stack.ts'

const runFile = promisify(execFile)
const stack = inject('sharedService')
const HOME = 'of-rhea.homing.test'

let rhea: Account
let id: string
beforeAll(async () => {
  rhea = await registerAccount(stack, 'rhea-records')
  await makePro(stack, rhea)
  await addNames(rhea, [HOME])
  id = await idOf(rhea, HOME)
})

const DIGEST = '0F'.repeat(32)

/** Owner, type, value as it is written, and value as kdig prints it. */
const RECORDS = [
  ['@', 'TXT', 'v=spf1 -all', '"v=spf1 -all"'],
  ['www', 'CNAME', 'www.example.com', 'www.example.com.'],
  ['@', 'MX', '10 mail.example.com', '10 mail.example.com.'],
  ['@', 'CAA', '0 issue "ca.example.net"', '0 issue "ca.example.net"'],
  ['_sip._udp', 'SRV', '0 5 5060 sip.example.com', '0 5 5060 sip.example.com.'],
  ['@', 'SSHFP', `4 2 ${DIGEST}`, `4 2 ${DIGEST}`],
  ['_443._tcp', 'TLSA', `3 1 1 ${DIGEST}`, `3 1 1 ${DIGEST}`],
  ['@', 'HTTPS', '1 . alpn=h2', '1 . alpn=h2'],
  ['_dns', 'SVCB', '1 svc.example.com port=8443', '1 svc.example.com. port=8443'],
  ['x', 'TYPE65280', String.raw`\# 3 ABCDEF`, String.raw`\# 3 ABCDEF`],
] as const

const nameOf = (owner: string) => (owner === '@' ? HOME : `${owner}.${HOME}`)

async function kdig(owner: string, type: string, ...options: string[]): Promise<string> {
  const server = ['@127.0.0.1', '-p', String(stack.dnsPort), '+norecurse', ...options]
  const { stdout } = await runFile('kdig', [...server, nameOf(owner), type])
  return stdout.trim()
}

const resolved = (owner: string, type: string) => kdig(owner, type, '+short')

/** Hexadecimal digits in one word and one case, and no quotes around parameters. */
const plain = (text: string) =>
  text
    .replaceAll(/(?<=[0-9A-F]{8,}) (?=[0-9A-F]+$)/gi, '')
    .replaceAll(/(?<==)"(\w+)"/g, '$1')
    .toUpperCase()

const exported = async () => {
  const { data = '' } = await rhea.api.GET('/api/domains/{id}/records/export', {
    params: { path: { id } },
    parseAs: 'text',
  })
  return data
}

describe('records of every type', needs('kdig'), () => {
  test.each(RECORDS)('%s %s', async (owner, type, value, shown) => {
    const { error } = await rhea.api.POST('/api/domains/{id}/records', {
      params: { path: { id } },
      body: { owner, type, values: [value] },
    })
    expect(error).toBeUndefined()
    await eventually(
      () => resolved(owner, type),
      (answer) => plain(answer) === plain(shown),
    )
  })

  test('a delegation with the address of its name server', async () => {
    const { data } = await rhea.api.POST('/api/domains/{id}/records/bulk', {
      params: { path: { id } },
      body: {
        operations: [
          { op: 'create', owner: 'lab', type: 'NS', values: [`ns1.lab.${HOME}`] },
          { op: 'create', owner: 'ns1.lab', type: 'A', values: ['192.0.2.53'] },
        ],
      },
    })
    expect(data?.applied).toBe(true)
    const referral = await eventually(
      () => kdig('host.lab', 'A'),
      (answer) => answer.includes('AUTHORITY SECTION'),
    )
    expect(referral).toContain(`ns1.lab.${HOME}.`)
    expect(referral).toContain('192.0.2.53')
  })

  test('a paused domain withholds its records', async () => {
    const pause = async (paused: boolean) =>
      rhea.api.PUT('/api/domains/{id}', { params: { path: { id } }, body: { paused } })
    const isThere = async () => (await resolved('_sip._udp', 'SRV')) !== ''
    expect((await pause(true)).error).toBeUndefined()
    await eventually(isThere, (there) => !there)
    expect((await pause(false)).error).toBeUndefined()
    await eventually(isThere, (there) => there)
  })
})

test(
  'BIND reads the exported file, and it imports again as it was',
  needs('named-checkzone'),
  async () => {
    const file = await exported()
    const folder = mkdtempSync(join(tmpdir(), 'records-'))
    const path = join(folder, 'records.zone')
    try {
      // What the domain lacks as a zone of its own.
      const head = `${HOME}. 60 IN SOA ns.example.com. admin.example.com. 1 2 3 4 5\n${HOME}. 60 IN NS ns.example.com.\n`
      writeFileSync(path, head + file)
      const { stdout } = await runFile('named-checkzone', [
        '-i',
        'none',
        '-k',
        'ignore',
        HOME,
        path,
      ])
      expect(stdout).toContain('OK')
    } finally {
      rmSync(folder, { recursive: true })
    }
    const { data } = await rhea.api.POST('/api/domains/{id}/records/import', {
      params: { path: { id } },
      body: { text: file, replace: true },
    })
    expect(data).toMatchObject({ applied: true, created: 0, changed: 0, deleted: 0 })
    expect(data?.unchanged).toBe(RECORDS.length + 2)
    expect(await exported()).toBe(file)
  },
)
