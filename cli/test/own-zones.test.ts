import { describe, expect, test } from 'vitest'
import { problem } from './fixtures.ts'
import { useKeyedServer } from './keyed-server.ts'
import { ACTIVE, ownZone, RIGHT, vanity } from './record-fixtures.ts'

const t = useKeyedServer()
const ZONES = 'GET /api/zones'
const VERIFY = 'POST /api/zones/5/verify'
const STATUS = 'GET /api/vanity-ns/status'
const soon = () => new Date(Date.now() + 95_000).toISOString()
const bodyOf = (index: number) => JSON.parse(t.asked.at(index)?.body ?? '') as unknown

const GLUE =
  'nameserver\tns1.example.com\t198.51.100.53\t2001:db8::53\nnameserver\tns2.example.com\t203.0.113.53\t\n'

describe('zones', () => {
  test('a line for each own zone', async () => {
    const ended = await t.run({ [ZONES]: { body: [ownZone()] } }, 'zones', 'list')
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout:
        'example.com\tpending\t3\t1\tns1.example.com,ns2.example.com\t2026-05-12T08:30:00.000Z\t5\n',
    })
    const none = await t.run({ [ZONES]: { body: [] } }, 'zones', 'list', '--json')
    expect(none.stdout).toBe('[]\n')
  })

  test('a claim shows name servers and what counts as proof', async () => {
    const replies = { 'POST /api/zones': { status: 201, body: ownZone() } }
    const ended = await t.run(replies, 'zones', 'add', 'example.com', '--vanity')
    expect(ended.stdout).toContain(`zone\texample.com\n${GLUE}`)
    expect(ended.stdout).toContain(
      'task\tdelegation\texample.com\tNS\tns1.example.com. ns2.example.com.\n',
    )
    expect(bodyOf(-1)).toEqual({ domain: 'example.com', uses_vanity: true })
  })

  test('one is shown, with the parent servers on request', async () => {
    const replies = { [ZONES]: { body: [ownZone()] } }
    const shown = await t.run(replies, 'zones', 'show', 'EXAMPLE.com.')
    expect(shown.stdout).toContain('state\tpending\n')
    expect(shown.stdout).toContain('\nfact\tdelegated\tright\tcom delegates it.\t\t\n')
    expect(shown.stdout).not.toContain('parent\t')
    const verbose = await t.run({}, 'zones', 'show', 'example.com', '--verbose')
    expect(verbose.stdout).toContain('parent\ta.gtld-servers.net\t192.5.6.30\tudp\tdelegates\t')
    expect((await t.run({}, 'zones', 'show', 'example.org')).exitCode).toBe(5)
  })

  test('a verification that fails says what is wrong and when the next check is, and exits with 1', async () => {
    const pending = ownZone({ next_check_at: soon() })
    const replies = { [ZONES]: { body: [pending] }, [VERIFY]: { body: pending } }
    const ended = await t.run(replies, 'zones', 'verify', 'example.com')
    expect(ended.exitCode).toBe(1)
    expect(ended.stdout).toContain('fact\tnames\twrong\tcom names ns1.example.org.')
    expect(ended.stderr).toBe(
      'example.com is not verified yet. 1 of 2 facts are right. The service checks again by itself in 2 min.\n',
    )
    const json = await t.run({}, 'zones', 'verify', 'example.com', '--json=state')
    expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([1, { state: 'pending' }])
  })

  test('a zone that is proved and not delegated is not verified', async () => {
    const proved = ownZone({ state: 'active', proof: 'txt' })
    const replies = { [ZONES]: { body: [proved] }, [VERIFY]: { body: proved } }
    const ended = await t.run(replies, 'zones', 'verify', 'example.com')
    expect(ended).toMatchObject({ exitCode: 1 })
    expect(ended.stderr).toContain(
      'You have proved that you own example.com, but its delegation is not correct.',
    )
  })

  test('a right delegation that proves nothing says that the proof is missing', async () => {
    const unproved = ownZone({ is_contested: true, last_check: RIGHT })
    const replies = { [ZONES]: { body: [unproved] }, [VERIFY]: { body: unproved } }
    const ended = await t.run(replies, 'zones', 'verify', 'example.com')
    expect(ended).toMatchObject({ exitCode: 1 })
    expect(ended.stderr).toContain(
      'The name servers of example.com are correct, but you have not proved that you own the domain.',
    )
  })

  test('a verification that succeeds exits with 0', async () => {
    const replies = { [ZONES]: { body: [ownZone()] }, [VERIFY]: { body: ACTIVE } }
    const ended = await t.run(replies, 'zones', 'verify', 'example.com', '--wait')
    expect(ended).toMatchObject({ exitCode: 0 })
    expect(ended.stderr).toContain('Verified. DNS serves example.com.')
  })

  test('--timeout needs --wait and a length', async () => {
    const replies = { [ZONES]: { body: [ownZone()] } }
    const wrong = await t.run(replies, 'zones', 'verify', 'example.com', '--wait', '--timeout', '9')
    expect(wrong.exitCode).toBe(64)
    const alone = await t.run({}, 'zones', 'verify', 'example.com', '--timeout', '9m')
    expect(alone.exitCode).toBe(64)
  })

  test('the history, and the undo of its newest change or of another one', async () => {
    const record = { owner: 'example.com', type: 'MX', ttl: 3600, values: ['10 a.example.'] }
    const event = {
      id: '4711',
      at: '2026-05-12T08:30:00.000Z',
      kind: 'record-deleted',
      actor: 'session',
      actor_name: null,
      source_ip: '198.51.100.7',
      source_cc: 'DE',
      client: 'homing',
      old: { record },
      new: { record: null },
      undoes: null,
    }
    const undone = { ...event, id: '4712', kind: 'record-created', old: event.new, new: event.old }
    const replies = {
      [ZONES]: { body: [ACTIVE] },
      'GET /api/zones/5/events': { body: [event] },
      'POST /api/zones/5/events/4711/undo': { body: { ...undone, undoes: '4711' } },
      'POST /api/zones/5/events/9/undo': problem(409, 'already-undone'),
    }
    const { stdout } = await t.run(replies, 'zones', 'history', 'example.com')
    expect(stdout).toBe(
      '4711\t2026-05-12T08:30:00.000Z\trecord-deleted\tMX example.com: 10 a.example. → none\tyou\t198.51.100.7\tDE\thoming\n',
    )
    expect(await t.run({}, 'zones', 'undo', 'example.com')).toMatchObject({
      exitCode: 0,
      stdout: '4712\trecord-created\tMX example.com: none → 10 a.example.\n',
    })
    expect((await t.run({}, 'zones', 'undo', 'example.com', '9')).exitCode).toBe(6)
    const empty = { 'GET /api/zones/5/events': { body: [] } }
    expect((await t.run(empty, 'zones', 'undo', 'example.com')).exitCode).toBe(5)
  })

  test('a zone is deleted with its name as confirmation', async () => {
    const replies = { [ZONES]: { body: [ACTIVE] }, 'DELETE /api/zones/5': { status: 204 } }
    expect((await t.run(replies, 'zones', 'delete', 'example.com')).exitCode).toBe(64)
    expect(t.deletions).toEqual([])
    const ended = await t.run({}, 'zones', 'remove', 'example.com', '--yes')
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'example.com\n' })
    expect(bodyOf(-1)).toEqual({ confirm: 'example.com' })
  })

  test.each([
    ['plan-required', 403, 3],
    ['zone-limit', 403, 3],
    ['name-not-allowed', 422, 8],
    ['conflict', 409, 6],
  ] as const)(
    'a claim that is refused with %s has its exit code',
    async (code, status, exitCode) => {
      const replies = { 'POST /api/zones': problem(status, code) }
      expect((await t.run(replies, 'zones', 'add', 'net')).exitCode).toBe(exitCode)
    },
  )
})

describe('vanity-ns', () => {
  test('the status has the name servers and the facts', async () => {
    const ended = await t.run({ [STATUS]: { body: vanity() } }, 'vanity-ns', 'status')
    expect(ended.exitCode).toBe(0)
    expect(ended.stdout).toContain('verified\tno\nused by\t0 other zones\nzone\texample.com\n')
    expect(ended.stdout).toContain(`\n${GLUE}`)
    expect(ended.stderr).toBe('Check now: homing vanity-ns verify\n')
  })

  test('a plan without them says so', async () => {
    const message = 'This feature requires an Elite subscription.'
    const without = vanity({
      available: false,
      configured: false,
      verification_pending: false,
      nameservers: null,
      message,
      zone: null,
    })
    const ended = await t.run({ [STATUS]: { body: without } }, 'vanity-ns')
    expect(ended).toMatchObject({ exitCode: 0, stderr: `${message}\n` })
    const refused = { 'POST /api/vanity-ns/setup': problem(403, 'plan-required') }
    expect((await t.run(refused, 'vanity-ns', 'setup', 'example.com')).exitCode).toBe(3)
    const none = await t.run({}, 'vanity-ns', 'remove', '--yes')
    expect(none.exitCode).toBe(5)
  })

  test('the setup prints what to enter at the registrar', async () => {
    const replies = { 'POST /api/vanity-ns/setup': { body: vanity() } }
    const ended = await t.run(replies, 'vanity-ns', 'setup', 'example.com')
    expect(ended.stdout).toContain(GLUE)
    expect(ended.stderr).toContain('Setup complete! Now add the glue records at your registrar.')
    expect(bodyOf(-1)).toEqual({ domain: 'example.com' })
  })

  test('a verification repeats the message of the service', async () => {
    const message = 'Verification failed. Please check your glue records.'
    const pending = { status: 'pending', message, zone: ownZone() }
    const verify = 'POST /api/vanity-ns/verify'
    const ended = await t.run({ [verify]: { body: pending } }, 'vanity-ns', 'verify', '--verbose')
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toContain(message)
    expect(ended.stdout).toContain('parent\ta.gtld-servers.net')
    const json = await t.run({}, 'vanity-ns', 'verify', '--json=status,message')
    expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([1, { status: 'pending', message }])
    const done = 'Verification successful! Your vanity nameservers are now active.'
    const verified = { status: 'verified', message: done, zone: ACTIVE }
    const right = await t.run({ [verify]: { body: verified } }, 'vanity-ns', 'verify')
    expect(right).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(done) })
  })

  test('they are removed after confirmation, unless other zones use them', async () => {
    const gone = { [STATUS]: { body: vanity() }, 'DELETE /api/vanity-ns': { status: 204 } }
    expect((await t.run(gone, 'vanity-ns', 'remove')).exitCode).toBe(64)
    expect(t.deletions).toEqual([])
    expect((await t.run({}, 'vanity-ns', 'remove', '-y')).stdout).toBe('example.com\n')
    const used = { 'DELETE /api/vanity-ns': problem(409, 'conflict') }
    expect((await t.run(used, 'vanity-ns', 'remove', '-y')).exitCode).toBe(6)
  })
})
