/**
 * The cells of the route matrix: an operation, somebody who calls it, and what is wrong with what that does. A cell
 * in which all is right says nothing.
 */
import { PROBLEMS, type ProblemCode } from '@homing/openapi'
import assert from 'node:assert/strict'
import type { Caller } from '../../support/api-world.ts'
import { call, type Reply } from '../../support/calls.ts'
import type { ListedOperation } from '../../support/contract-table.ts'
import { type Holder, MatrixWorld, MISSING } from './belongings.ts'
import { urlOf } from './call-url.ts'
import { type Cast, castOf, REFUSED } from './callers.ts'
import { comparable, outcomeOf } from './comparable.ts'
import { Contents } from './contents.ts'
import type { MatrixCall, Probe, Row } from './row.ts'
import { OTHER_NAME, rightfulOf, strangersOf } from './strangers.ts'

type Headers = Caller['headers']

/** Whether what a call says is another thing when it is about this person's. */
const namesSomething = ({ its }: Holder, { call }: Pick<Row, 'call'>) =>
  JSON.stringify(call(its, '0')) !== JSON.stringify(call(MISSING, '0'))

/** The world of the matrix, and what is asked in it. */
export class Cells {
  readonly matrix: MatrixWorld
  readonly cast: Cast
  readonly contents: Contents
  /** How many calls were made. */
  count = 0
  /** What of the owner's stood in the answers to others. */
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
    // Not even where a page of another site may read an answer.
    const shared = Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))
    assert.deepEqual(shared, [])
    return reply
  }

  /** What of the owner's an answer holds that the call did not say itself. */
  leaksIn(reply: Reply, asked: MatrixCall): string[] {
    const said = JSON.stringify(asked)
    const text = reply.text + JSON.stringify(reply.headers)
    const found = this.cast.owner.markers.filter(
      (marker) => text.includes(marker) && !said.includes(marker),
    )
    this.leaks += found.length
    return found.map((marker) => `LEAK of ${marker}`)
  }

  /** Calls that name a thing: the operation's own where it does, and its probes. */
  namingCalls(row: Row): [string, Probe][] {
    const probes = Object.entries(row.probes ?? {})
    if (!namesSomething(this.cast.owner, row)) return probes
    const own: Probe = row.writes ? { call: row.call, writes: true } : { call: row.call }
    return [['', own], ...probes]
  }

  /** Calls of those who may not make any. @returns what is wrong */
  async refused(operation: ListedOperation, row: Row): Promise<string[]> {
    const wrong: string[] = []
    const before = await this.contents.digests()
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

  /** Calls of strangers that name something of the owner's. @returns what is wrong */
  async probed(operation: ListedOperation, [name, probe]: [string, Probe]): Promise<string[]> {
    const wrong: string[] = []
    const { owner } = this.cast
    // What a stranger makes is theirs; what is the owner's stays as it is.
    const holding = probe.writes ? owner.ids : undefined
    const isPublic = operation.access === 'public'
    const before = await this.contents.digests(holding)
    for (const [stranger, headers] of Object.entries(strangersOf(this.cast, operation))) {
      const asked = probe.call(owner.its, this.matrix.nonce())
      const theirs = await this.send(operation, asked, headers)
      wrong.push(...this.leaksIn(theirs, asked).map((leak) => `${name} ${stranger}: ${leak}`))
      if (probe.refusal !== undefined) {
        const got = outcomeOf(theirs)
        // A key that is for another name is told so first.
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
    // Mail to an address is asked for by anybody.
    if (isPublic && probe.writes) return wrong
    const changed = await this.contents.changedSince(before, holding)
    return [...wrong, ...changed.map((table) => `${name}: ${table} was changed by a stranger`)]
  }

  /** Calls of those for whom the operation is, about their own. @returns what is wrong */
  async rightful(operation: ListedOperation, row: Row): Promise<string[]> {
    const wrong: string[] = []
    const { success } = operation
    const rightful = await rightfulOf(this.matrix, this.cast, operation)
    const { ids } = this.cast.owner
    const refusals: Partial<Record<string, ProblemCode>> = {
      ...(row.ability === undefined ? {} : { free: 'plan-required' }),
      ...row.refuses,
    }
    const before = await this.contents.digests(ids)
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
