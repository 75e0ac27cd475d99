import { describe, expect, test } from 'vitest'
import { domain, problem } from './fixtures.ts'
import { useKeyedServer } from './keyed-server.ts'
import {
  ACTIVE,
  ownZone,
  record,
  RECORDS_ONLY,
  WITH_DOMAIN,
  WITH_RECORDS_ONLY,
  WITH_ZONE,
} from './record-fixtures.ts'
import type { Asked, Replies, Reply } from './support.ts'

const t = useKeyedServer()
const LIST = 'GET /api/domains/42/records'
const MADE = 'POST /api/domains/42/records'
const CHANGED = 'PUT /api/domains/42/records/81'
const GONE = 'DELETE /api/domains/42/records/81'
const NAME = 'home.example.net'
const ACME = record()

const run = (replies: Replies, ...args: string[]) => {
  Object.assign(t.server.replies, replies)
  return t.run({}, 'records', ...args)
}
const last = () => t.asked.at(-1)
const sent = (asked = last()) => JSON.parse(asked?.body ?? '') as unknown
const filterOf = (call: Asked | undefined): unknown =>
  JSON.parse(new URL(`http://x${call?.request.split(' ')[1]}`).searchParams.get('filter') ?? '')
const calls = (method: string) => t.asked.filter(({ request }) => request.startsWith(method))

/** A server that keeps the values of one record, as the API does: versions, canonical values, dry runs. */
function keeping(values: string[]): { replies: Replies; values: () => string[] } {
  let now = record({ values })
  const quoted = (value: string) => (value.startsWith('"') ? value : `"${value}"`)
  const change = ({ body, request, ifMatch }: Asked): Reply => {
    if (ifMatch !== undefined && ifMatch !== `"${now.version}"`) {
      return problem(412, 'version-mismatch')
    }
    const given = JSON.parse(body) as { values: string[] }
    const next = { ...now, values: given.values.map(quoted), version: now.version + 1 }
    if (!request.endsWith('dry_run=true')) now = next
    return { body: next }
  }
  const replies = { ...WITH_DOMAIN, [LIST]: () => ({ body: [now] }), [CHANGED]: change }
  return { replies, values: () => now.values }
}

describe('where records stand', () => {
  test('a domain, or an own zone with this name', async () => {
    const ofDomain = await run({ ...WITH_DOMAIN, [LIST]: { body: [ACME] } }, NAME)
    expect(ofDomain.stdout).toBe(`81\t${ACME.owner}\tTXT\t3600\t"one two"\n`)
    const typed = 'GET /api/domains/fqdn/Example.COM.'
    const ofZone: Replies = {
      ...WITH_ZONE,
      [typed]: problem(404, 'not-found'),
      'GET /api/zones/5/records': { body: [] },
    }
    const ended = await run(ofZone, 'Example.COM.', '--owner', '@')
    expect(ended).toMatchObject({ exitCode: 0, stdout: '' })
    expect(filterOf(last())).toEqual({ owner: 'example.com' })
  })

  test('a name that is both needs a flag', async () => {
    const both: Replies = {
      'GET /api/domains/fqdn/example.com': { body: domain({ fqdn: 'example.com' }) },
      'GET /api/zones': { body: [ownZone({ id: '4', state: 'expired' }), ACTIVE] },
      [LIST]: { body: [] },
      'GET /api/zones/5/records': { body: [ACME] },
    }
    const ended = await run(both, 'example.com')
    expect([ended.exitCode, ended.stderr]).toEqual([
      64,
      'example.com is a domain and an own zone. Give --domain or --zone.\n',
    ])
    expect((await run({}, 'example.com', '--domain')).stdout).toBe('')
    expect((await run({}, 'example.com', '--zone')).stdout).not.toBe('')
  })

  test.each([
    ['pending', 'Prove that you own example.com first: homing zones verify example.com\n'],
    ['lost', 'Your claim of example.com has ended. Claim it again: homing zones add example.com\n'],
  ] as const)('an own zone that is %s has no records', async (state, stderr) => {
    const replies = { ...WITH_ZONE, 'GET /api/zones': { body: [ownZone({ state })] } }
    expect(await run(replies, 'example.com')).toEqual({ exitCode: 8, stdout: '', stderr })
  })

  test('a domain of which a key reaches only some records', async () => {
    const replies = { ...WITH_RECORDS_ONLY, [LIST]: { body: [ACME] }, [GONE]: { status: 204 } }
    for (const owner of ['_acme-challenge', ACME.owner]) {
      const shown = await run(replies, 'show', NAME, 'TXT', owner)
      expect(shown.stdout).toContain('version\t2\n')
      expect(filterOf(last())).toEqual({ type: 'TXT', owner: ACME.owner })
    }
    const zones = { 'GET /api/zones/available': { body: [{ zone: 'example.net' }] } }
    // The key cannot undo: the history belongs to the domain.
    expect(await run(zones, 'remove', 'home', '81', '--yes')).toMatchObject({
      exitCode: 0,
      stderr: 'Deleted.\n',
    })
    await run({}, NAME, '--domain')
    expect(t.asked.filter(({ request }) => request === RECORDS_ONLY)).toHaveLength(4)
    await run({}, NAME, '--zone')
    expect(last()?.request).toBe('GET /api/zones')
  })

  test('a name that is neither is not found', async () => {
    const replies = {
      ...WITH_ZONE,
      'GET /api/zones': { body: [] },
      'GET /api/records/domains/example.com': problem(404, 'not-found'),
    }
    const ended = await run(replies, 'example.com')
    expect(ended).toMatchObject({ exitCode: 5 })
    expect(ended.stderr).toContain('You have no domain and no own zone example.com.')
  })
})

describe('records', () => {
  test('a line for each value, and whole records as JSON', async () => {
    const mail = record({ id: '82', owner: NAME, type: 'MX', values: ['10 a.', '20 b.'] })
    const replies = { ...WITH_DOMAIN, [LIST]: { body: [mail] } }
    const ended = await run(replies, NAME, '--type', 'mx', '--owner', `mail.${NAME}.`)
    expect(ended.stdout).toBe(`82\t${NAME}\tMX\t3600\t10 a.\n82\t${NAME}\tMX\t3600\t20 b.\n`)
    expect(ended.stderr).toBe(`1 record of ${NAME}.\n`)
    expect(filterOf(last())).toEqual({ type: 'MX', owner: `mail.${NAME}` })
    expect(JSON.parse((await run({}, NAME, '--json')).stdout)).toEqual([mail])
  })

  test('one is shown by type and owner, or by id', async () => {
    const replies = { ...WITH_DOMAIN, [LIST]: { body: [ACME] } }
    const shown = await run(replies, 'show', NAME, 'txt', '_acme-challenge')
    expect(shown.stdout).toContain('version\t2\n')
    expect(filterOf(last())).toEqual({ type: 'TXT', owner: ACME.owner })
    await run({}, 'show', NAME, '81')
    expect(filterOf(last())).toEqual({ id: '81' })
    expect((await run({}, 'show', NAME, '81', '@')).exitCode).toBe(64)
    expect((await run({}, 'show', NAME, 'TXT')).stderr).toContain('OWNER is missing')
    const none = await run({ [LIST]: { body: [] } }, 'show', NAME, 'MX', '@')
    expect([none.exitCode, none.stderr]).toEqual([
      5,
      `${NAME} has no MX record at ${NAME}. List its records: homing records ${NAME}\n`,
    ])
  })

  test('usage says what the plan counts', async () => {
    const body = { used: 3, limit: 10, record_types: 'txt', minimum_ttl: 300 }
    const ended = await run({ 'GET /api/records/usage': { body } }, 'usage')
    expect(ended.stdout).toBe(
      'used\t3\nlimit\t10\ncounted\tvalues of TXT records\ntypes\tTXT\nminimum ttl\t300 s\n',
    )
  })
})

describe('records add', () => {
  const replies = { ...WITH_DOMAIN, [MADE]: { status: 201, body: ACME } }

  test('sends what was typed; the service applies its rules', async () => {
    const args = ['add', NAME, 'TXT', '_acme-challenge', 'one two', '--ttl', '60']
    const ended = await run(replies, ...args)
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout: `81\t${ACME.owner}\tTXT\t3600\t"one two"\n`,
    })
    expect(ended.stderr).toContain('Stored. DNS serves it.')
    expect(last()?.request).toBe(`${MADE}?dry_run=false`)
    expect(sent()).toEqual({
      type: 'TXT',
      owner: '_acme-challenge',
      values: ['one two'],
      ttl: 60,
    })
    const withheld = { [MADE]: { status: 201, body: record({ is_served: false }) } }
    expect((await run(withheld, ...args)).stderr).toContain('DNS does not serve it')
  })

  test.each([
    [`Mail.${NAME}.`, `mail.${NAME}`],
    ['büro', 'xn--bro-hoa'],
  ])('the owner %s is sent as %s', async (typed, owner) => {
    await run(replies, 'add', NAME, 'TXT', typed, 'one')
    expect(sent()).toMatchObject({ owner })
    await run({ [LIST]: { body: [] } }, 'add', NAME, 'TXT', typed, 'one', '--append')
    expect(sent()).toMatchObject({ owner })
  })

  test('a dry run says that nothing was changed', async () => {
    const ended = await run(replies, 'add', NAME, 'MX', '@', '10 a.', '20 b.', '--dry-run')
    expect(ended.stderr).toBe('Nothing was changed. The rules allow this record.\n')
    expect(last()?.request).toBe(`${MADE}?dry_run=true`)
  })

  test.each([
    ['record-limit', 403, 3],
    ['plan-required', 403, 3],
    ['record-not-allowed', 422, 8],
    ['zone-not-active', 409, 8],
    ['record-exists', 409, 6],
  ] as const)('a refusal with %s has its exit code', async (code, status, exitCode) => {
    const refused = { ...WITH_DOMAIN, [MADE]: problem(status, code) }
    expect((await run(refused, 'add', NAME, 'TXT', '@', 'x')).exitCode).toBe(exitCode)
  })

  test('--append creates the record, and adds to one that somebody created in the meantime', async () => {
    const kept = keeping(['"one"'])
    let isThere = false
    const create = () => {
      isThere = true
      return problem(409, 'record-exists')
    }
    const list = () => (isThere ? { body: [record({ values: kept.values() })] } : { body: [] })
    const args = ['add', NAME, 'TXT', '_acme-challenge', 'two', '--append']
    expect((await run({ ...kept.replies, [LIST]: list, [MADE]: create }, ...args)).exitCode).toBe(0)
    expect(kept.values()).toEqual(['"one"', '"two"'])
    expect((await run({}, ...args)).exitCode).toBe(6)
  })
})

describe('records update', () => {
  test('replaces values and TTL; with --if-version only if nobody has changed it', async () => {
    const replies = { ...WITH_DOMAIN, [LIST]: { body: [ACME] }, [CHANGED]: { body: ACME } }
    const args = ['update', NAME, '81', '--value', 'three', '--value', 'four', '--ttl', '60']
    expect((await run(replies, ...args, '--if-version', '2')).exitCode).toBe(0)
    expect([last()?.request, last()?.ifMatch]).toEqual([`${CHANGED}?dry_run=false`, '"2"'])
    expect(sent()).toEqual({ values: ['three', 'four'], ttl: 60 })
  })

  test('adds and removes values, which the service brings into their form', async () => {
    const kept = keeping(['"one"', '"two"'])
    const acme = ['update', NAME, 'TXT', '_acme-challenge']
    await run(kept.replies, ...acme, '--add', 'three', '--remove', 'one')
    expect(kept.values()).toEqual(['"two"', '"three"'])
    await run({}, ...acme, '--add', 'three', '--remove', 'nine')
    expect(kept.values()).toEqual(['"two"', '"three"'])
    const emptied = await run({}, ...acme, '--remove', 'two', '--remove', 'three')
    expect(emptied).toMatchObject({ exitCode: 8 })
    expect(emptied.stderr).toContain(`Delete it: homing records remove ${NAME} 81`)
  })

  test('repeats a change of values when somebody else changed the record', async () => {
    const kept = keeping(['"one"'])
    const outdated = record({ values: ['"one"'], version: 1 })
    const answers: Reply[] = [{ body: [outdated] }]
    const current = kept.replies[LIST] as () => Reply
    const replies = { ...kept.replies, [LIST]: () => answers.shift() ?? current() }
    const args = ['update', NAME, 'TXT', '_acme-challenge', '--add', '"two"']
    expect((await run(replies, ...args)).exitCode).toBe(0)
    expect(kept.values()).toEqual(['"one"', '"two"'])
  })

  test.each([[[]], [['--add', 'x', '--value', 'y']], [['--remove', 'x', '--if-version', '2']]])(
    'needs a change that is clear: %j',
    async (flags) => {
      expect((await run(WITH_DOMAIN, 'update', NAME, '81', ...flags)).exitCode).toBe(64)
      expect(t.asked).toEqual([])
    },
  )
})

describe('records remove', () => {
  const replies = { ...WITH_DOMAIN, [LIST]: { body: [ACME] }, [GONE]: { status: 204 } }

  test('deletes a record after confirmation', async () => {
    expect((await run(replies, 'delete', NAME, '81')).exitCode).toBe(64)
    expect(calls('DELETE')).toEqual([])
    const ended = await run({}, 'remove', NAME, '81', '--yes', '--if-version', '2')
    expect(ended).toEqual({
      exitCode: 0,
      stdout: `81\t${ACME.owner}\tTXT\n`,
      stderr: `Deleted.\nUndo: homing domains undo ${NAME}\n`,
    })
    expect(last()?.ifMatch).toBe('"2"')
    const dry = await run({}, 'remove', NAME, '81', '--dry-run', '--json')
    expect(JSON.parse(dry.stdout)).toMatchObject({ id: '81', removed: false })
    expect(last()?.request).toBe(`${GONE}?dry_run=true`)
  })

  test('deletes a value, the record with its last one, and nothing twice', async () => {
    const kept = keeping(['"one"', '"two"'])
    const hook = ['remove', NAME, 'TXT', '_acme-challenge', '--yes', '--value']
    const first = await run({ ...kept.replies, [GONE]: { status: 204 } }, ...hook, 'one')
    expect(first.stderr).toContain('Deleted. 1 value left.')
    expect([kept.values(), calls('DELETE')]).toEqual([['"two"'], []])
    await run({}, ...hook, 'two')
    expect(calls('DELETE')).toHaveLength(1)
    const none = await run({ [LIST]: { body: [] } }, ...hook, 'two')
    expect(none).toMatchObject({ exitCode: 0, stdout: '' })
    expect(none.stderr).toContain('Nothing was deleted.')
  })

  test('changes nothing, and offers no undo, if it has none of the values', async () => {
    const kept = keeping(['"one"'])
    const hook = ['remove', NAME, 'TXT', '_acme-challenge', '--yes', '--value', 'nine']
    expect(await run({ ...kept.replies, [GONE]: { status: 204 } }, ...hook)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'It has no such value. Nothing was deleted.\n',
    })
    expect(JSON.parse((await run({}, ...hook, '--json')).stdout)).toMatchObject({
      removed: false,
      changed: false,
      values: ['"one"'],
    })
    expect(calls('PUT').filter(({ request }) => !request.endsWith('dry_run=true'))).toEqual([])
    expect(calls('DELETE')).toEqual([])
    const one = await run({}, ...hook, '--value', 'one', '--json')
    expect(JSON.parse(one.stdout)).toMatchObject({ removed: true, changed: true, values: [] })
  })
})
