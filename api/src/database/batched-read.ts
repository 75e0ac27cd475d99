import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDatabaseAway } from './silence.ts'

interface Waiting<Question, Answer> {
  readonly question: Question
  readonly give: (answer: Answer) => void
  readonly fail: (error: unknown) => void
}

/** Questions in one query. */
const BATCH_LIMIT = 256

/**
 * Questions that arrive while a query is under way are asked in the next one, together.
 * There is no timer, so an idle service asks at once. Two queries at a time were tried: the
 * batches halve and each request costs a quarter more.
 */
export class BatchedRead<Question, Answer> {
  readonly #query: (questions: readonly Question[]) => Promise<readonly Answer[]>
  #waiting: Waiting<Question, Answer>[] = []
  #isAsking = false

  /** @param query answers all questions, in their order */
  constructor(query: (questions: readonly Question[]) => Promise<readonly Answer[]>) {
    this.#query = query
  }

  /** @throws Error of PostgreSQL when it cannot be asked */
  ask(question: Question): Promise<Answer> {
    return new Promise((give, fail) => {
      this.#waiting.push({ question, give, fail })
      if (!this.#isAsking) void this.#askAll()
    })
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.length > 0) {
      // Requests that were parsed in the same turn of the event loop go together.
      await nextTurn()
      const batch = this.#waiting.splice(0, BATCH_LIMIT)
      try {
        const answers = await this.#query(batch.map(({ question }) => question))
        if (answers.length !== batch.length) throw new Error('each question has one answer')
        for (const [n, waiting] of batch.entries()) waiting.give(answers[n] as Answer)
      } catch (error) {
        // Those behind would wait as long again, and hear the same.
        const behind = isDatabaseAway(error) ? this.#waiting.splice(0) : []
        for (const waiting of [...batch, ...behind]) waiting.fail(error)
      }
    }
    this.#isAsking = false
  }
}
