/**
 * The cells of the route matrix: an operation, a caller, and the errors in the result. A cell without errors returns an
 * empty list.
 */
import { PROBLEMS, type ProblemCode } from '@homing/openapi'
import assert from 'node:assert/strict'
import type { Caller } from '../../support/api-world.ts'
import { bearer, call, type Reply } from '../../support/calls.ts'
import type { ListedOperation } from '../../support/contract-table.ts'
import { type Holder, MISSING } from './belongings.ts'
import { MatrixWorld } from './matrix-world.ts'
import { type Cast, castOf, REFUSED } from './callers.ts'
import { comparable, outcomeOf } from './comparable.ts'
import { Contents } from './contents.ts'
import { type MatrixCall, urlOf } from './call-url.ts'
import type { Probe, Row } from './row.ts'
import { OTHER_NAME, rightfulOf, strangersOf } from './strangers.ts'

type Headers = Caller['headers']

/** Whether the call of an operation differs between accounts. */
const namesSomething = ({ its }: Holder, { call }: Pick<Row, 'call'>) =>
  JSON.stringify(call(its, '0')) !== JSON.stringify(call(MISSING, '0'))

/** The plan that most holders have, or a larger one if the call needs it. */
const planFor = ({ ability }: Row) => (ability === 'vanity_ns' ? 'elite' : 'pro')

/** Callers of smaller plans than elite, which have some abilities only there. */
const NOT_PRO = {
  pro: 'plan-required',
  'by cookie': 'plan-required',
  'by key': 'plan-required',
  'by a key for just this': 'plan-required',
} as const satisfies Partial<Record<string, ProblemCode>>

/** The same, for abilities that administrators do not have. */
const NOT_ELITE = {
  ...NOT_PRO,
  administrator: 'plan-required',
} as const satisfies Partial<Record<string, ProblemCode>>

/** The world of the matrix, and its calls. */
export class Cells {
  readonly matrix: MatrixWorld
  readonly cast: Cast
  readonly contents: Contents
  /** The number of calls. */
  count = 0
  /** The owner's data that responses to others contained. */
  leaks = 0

  private constructor(matrix: MatrixWorld, cast: Cast, contents: Contents) {
    this.matrix = matrix
    this.cast = cast
    this.contents = contents
  }

  static async open(): Promise<Cells> {
    const matrix = await MatrixWorld.open()
    return new Cells(matrix, await castOf(matrix), await Contents.of(matrix.world.knex))
  }

  end(): Promise<void> {
    return this.matrix.end()
  }

  /** Makes a call of the matrix. */
  async send(operation: ListedOperation, asked: MatrixCall, headers: Headers): Promise<Reply> {
    this.count += 1
    const url = urlOf(operation, asked)
    const reply = await call(this.matrix.world.app, operation.method, url, {
      headers,
      body: asked.body,
    })
    // No response may allow a page of another site to read it.
    const shared = Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))
    assert.deepEqual(shared, [])
    return reply
  }

  /** The owner's data in a response that the call itself did not contain. */
  leaksIn(reply: Reply, asked: MatrixCall): string[] {
    const said = JSON.stringify(asked)
    const text = reply.text + JSON.stringify(reply.headers)
    const found = this.cast.owner.markers.filter(
      (marker) => text.includes(marker) && !said.includes(marker),
    )
    this.leaks += found.length
    return found.map((marker) => `LEAK of ${marker}`)
  }

  /** Calls that name a thing: the operation's own, if it names one, and its probes. */
  namingCalls(row: Row): [string, Probe][] {
    const probes = Object.entries(row.probes ?? {})
    if (!namesSomething(this.cast.owner, row)) return probes
    const own: Probe = row.writes ? { call: row.call, writes: true } : { call: row.call }
    return [['', own], ...probes]
  }

  /** Calls by callers without permission. @returns the errors */
  async refused(operation: ListedOperation, row: Row): Promise<string[]> {
    const wrong: string[] = []
    const before = await this.contents.now()
    for (const { name, headers, refusal } of REFUSED) {
      const code = refusal(operation)
      if (code === undefined) continue
      const asked = row.call(this.cast.owner.its, this.matrix.nonce())
      const reply = await this.send(operation, asked, headers(this.cast))
      const got = outcomeOf(reply)
      const isRight = got === code && reply.status === PROBLEMS[code].status
      if (!isRight) wrong.push(`${name}: ${got} instead of ${code}`)
      wrong.push(...this.leaksIn(reply, asked).map((leak) => `${name}: ${leak}`))
    }
    const changed = await this.contents.changedSince(before)
    return [...wrong, ...changed.map((table) => `${table} was changed by one who was refused`)]
  }

  /** Calls by other accounts that name things of the owner. @returns the errors */
  async probed(operation: ListedOperation, [name, probe]: [string, Probe]): Promise<string[]> {
    const wrong: string[] = []
    const { owner } = this.cast
    // A stranger's call may create things of their own; the owner's things must not change.
    const holding = probe.writes ? owner.ids : undefined
    const isPublic = operation.access === 'public'
    const before = await this.contents.now()
    for (const [stranger, headers] of Object.entries(strangersOf(this.cast, operation))) {
      const asked = probe.call(owner.its, this.matrix.nonce())
      const theirs = await this.send(operation, asked, headers)
      wrong.push(...this.leaksIn(theirs, asked).map((leak) => `${name} ${stranger}: ${leak}`))
      if (probe.refusal !== undefined) {
        const got = outcomeOf(theirs)
        // A key for another name gets this refusal first.
        const expected = stranger === OTHER_NAME ? 'key-scope' : probe.refusal
        if (got !== expected) wrong.push(`${name} ${stranger}: ${got}`)
        continue
      }
      const nobodys = await this.send(operation, probe.call(MISSING, this.matrix.nonce()), headers)
      const [of, one] = [comparable(theirs, owner.its), comparable(nobodys, MISSING)]
      if (JSON.stringify(of) !== JSON.stringify(one)) {
        wrong.push(`${name} ${stranger}: ${JSON.stringify(of)} is not ${JSON.stringify(one)}`)
      }
    }
    // Anybody may request mail to an address.
    if (isPublic && probe.writes) return wrong
    const changed = await this.contents.changedSince(before, holding)
    return [...wrong, ...changed.map((table) => `${name}: ${table} was changed by a stranger`)]
  }

  /** Makes the call twice. @returns the differences of the second response, and the tables that it changed */
  async repeated(operation: ListedOperation, row: Row): Promise<string[]> {
    const { its, headers } = await this.matrix.holder()
    const asked = row.call(its, this.matrix.nonce())
    const first = await this.send(operation, asked, headers)
    const before = await this.contents.now()
    const second = await this.send(operation, asked, headers)
    const changed = await this.contents.changedSince(before)
    const isSame = first.status === second.status && first.text === second.text
    const fault = `${second.status} ${second.text} instead of ${first.status} ${first.text}`
    return [...(isSame ? [] : [fault]), ...changed.map((table) => `${table} was changed`)]
  }

  /**
   * Makes the call twice with an idempotency key: the second call repeats the response of the first, or without its
   * secret the id, and changes nothing. As another caller of the account, the key is refused.
   *
   * @returns the errors
   */
  async repeatedWithKey(operation: ListedOperation, row: Row): Promise<string[]> {
    const { its, headers, key } = await this.matrix.holder(planFor(row))
    const asked = row.call(its, this.matrix.nonce())
    const once = { 'idempotency-key': `matrix-${this.matrix.nonce()}` }
    const first = await this.send(operation, asked, { ...headers, ...once })
    const before = await this.contents.now()
    const second = await this.send(operation, asked, { ...headers, ...once })
    const byKey = await this.send(operation, asked, { ...bearer(key), ...once })
    const changed = await this.contents.changedSince(before)
    const isSame = second.text === first.text && second.status === first.status
    const isRepeated =
      operation.idempotencyKey === 'secret'
        ? outcomeOf(second) === 'secret-not-repeated'
        : isSame && second.headers['idempotency-replayed'] === 'true'
    const refusal = operation.access === 'caller' ? 'idempotency-key-reused' : 'forbidden'
    return [
      ...(first.status === (row.answers ?? operation.success.status)
        ? []
        : [`first: ${first.text}`]),
      ...(isRepeated ? [] : [`${second.status} ${second.text} after ${first.text}`]),
      ...(outcomeOf(byKey) === refusal ? [] : [`by another credential: ${byKey.text}`]),
      ...changed.map((table) => `${table} was changed`),
    ]
  }

  /** Calls by permitted callers about their own things. @returns the errors */
  async rightful(operation: ListedOperation, row: Row): Promise<string[]> {
    const wrong: string[] = []
    const { success } = operation
    const rightful = await rightfulOf(this.matrix, this.cast, operation)
    const { ids } = this.cast.owner
    const refusals: Partial<Record<string, ProblemCode>> = {
      ...(row.ability === undefined ? {} : { free: 'plan-required' }),
      ...(row.ability === 'data_export' ? NOT_ELITE : {}),
      ...(row.ability === 'vanity_ns' ? NOT_PRO : {}),
      ...row.refuses,
    }
    const before = await this.contents.now()
    for (const [name, holder, headers] of rightful) {
      const asked = row.call(holder.its, this.matrix.nonce())
      const reply = await this.send(operation, asked, headers)
      const refusal = refusals[name]
      const expected = refusal ?? row.answers ?? success.status
      const got = refusal === undefined ? reply.status : outcomeOf(reply)
      if (got !== expected) {
        wrong.push(`${name}: ${got} ${reply.text.slice(0, 200)} instead of ${expected}`)
      }
      // The list of all accounts is for administrators.
      if (operation.access === 'administrator') continue
      wrong.push(...this.leaksIn(reply, asked).map((leak) => `${name}: ${leak}`))
    }
    const changed = await this.contents.changedSince(before, ids)
    return [...wrong, ...changed.map((table) => `${table} of the owner was changed by others`)]
  }
}
