/**
 * A wait that ends at a given time, or earlier when it is woken. A wake-up without a waiter is kept for
 * the next wait.
 */
export class WakeUp {
  #isDue = false
  #end: (() => void) | undefined

  wake(): void {
    this.#isDue = true
    this.#end?.()
  }

  async wait(limitMs: number): Promise<void> {
    if (!this.#isDue) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs)
        this.#end = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#end = undefined
    }
    this.#isDue = false
  }
}
