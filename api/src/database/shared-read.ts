import { BatchedRead } from './batched-read.ts'

/**
 * A read that many may ask for at once in the same words: whoever asks gets an answer that was begun
 * after asking, and those who wait for the next one share it. Nothing is kept when nobody waits.
 */
export class SharedRead<Answer> {
  readonly #reads = new Map<
    string,
    { readonly read: BatchedRead<undefined, Answer>; waiting: number }
  >()

  /** @param key what is asked; two askers with one key want the same answer */
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

function batched<Answer>(read: () => Promise<Answer>): BatchedRead<undefined, Answer> {
  return new BatchedRead<undefined, Answer>(async (askers) => {
    const answer = await read()
    return askers.map(() => answer)
  })
}
