/** A wait that ends when it is woken, or after a time. A wake-up without a waiter ends the next wait at once. */
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
