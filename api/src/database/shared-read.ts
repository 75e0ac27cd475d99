import { BatchedQuery } from './batched-query.ts'

/**
 * Shares one read among concurrent callers that ask the same question. Each caller gets an answer
 * whose query began after the caller asked; callers that wait for the same query share it. Nothing
 * is cached when no caller waits.
 */
export class SharedRead<Answer> {
  readonly #reads = new Map<
    string,
    { readonly read: BatchedQuery<undefined, Answer>; waiting: number }
  >()

  /** @param key identifies the question; callers with the same key get the same answer */
  async ask(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const begun = this.#reads.get(key) ?? { read: batched(read), waiting: 0 }
    this.#reads.set(key, begun)
    begun.waiting += 1
    try {
      return await begun.read.ask(undefined)
    } finally {
      begun.waiting -= 1
      if (begun.waiting === 0) this.#reads.delete(key)
    }
  }
}

function batched<Answer>(read: () => Promise<Answer>): BatchedQuery<undefined, Answer> {
  return new BatchedQuery<undefined, Answer>(async (askers) => {
    const answer = await read()
    return askers.map(() => answer)
  })
}
