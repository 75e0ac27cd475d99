import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { isDatabaseAway } from './silence.ts'

interface Waiting<Question, Answer> {
  readonly question: Question
  readonly give: (answer: Answer) => void
  readonly fail: (error: unknown) => void
}

/** Maximum number of questions in one query. */
const BATCH_LIMIT = 256

/**
 * Batches questions: those that arrive during a query are asked together in the next one. An idle
 * service asks immediately. Two concurrent queries were tried: the batches halve and each request
 * costs a quarter more.
 */
export class BatchedQuery<Question, Answer> {
  readonly #query: (questions: readonly Question[]) => Promise<readonly Answer[]>
  #waiting: Waiting<Question, Answer>[] = []
  readonly #apartMs: number
  #isAsking = false
  /** When the last query began, by performance.now(). */
  #beganAt = -Infinity

  /**
   * @param query answers all questions, in order
   * @param apartMs the least time between the beginnings of two queries, for writes: each costs a flush to disk
   */
  constructor(query: (questions: readonly Question[]) => Promise<readonly Answer[]>, apartMs = 0) {
    this.#query = query
    this.#apartMs = apartMs
  }

  /** @throws the error of PostgreSQL */
  ask(question: Question): Promise<Answer> {
    return new Promise((give, fail) => {
      this.#waiting.push({ question, give, fail })
      if (!this.#isAsking) void this.#askAll()
    })
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.length > 0) {
      // Requests that were parsed in the same turn of the event loop share a query.
      await nextTurn()
      const pauseMs = this.#beganAt + this.#apartMs - performance.now()
      if (pauseMs > 0) await delay(pauseMs)
      this.#beganAt = performance.now()
      const batch = this.#waiting.splice(0, BATCH_LIMIT)
      try {
        const answers = await this.#query(batch.map(({ question }) => question))
        if (answers.length !== batch.length) throw new Error('each question has one answer')
        for (const [n, waiting] of batch.entries()) waiting.give(answers[n] as Answer)
      } catch (error) {
        // Queued questions would wait as long and get the same error.
        const behind = isDatabaseAway(error) ? this.#waiting.splice(0) : []
        for (const waiting of [...batch, ...behind]) waiting.fail(error)
      }
    }
    this.#isAsking = false
  }
}
