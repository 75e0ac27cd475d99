/** A task that runs when it is due. It does not keep the process alive. */
export class Due {
  readonly #act: () => void
  #timer: NodeJS.Timeout | undefined
  #atMs = Infinity

  constructor(act: () => void) {
    this.#act = act
  }

  /** Makes the task due within this time. The earliest of several calls counts. */
  within(milliseconds: number): void {
    const atMs = performance.now() + milliseconds
    if (atMs >= this.#atMs) return
    this.cancel()
    this.#atMs = atMs
    this.#timer = setTimeout(() => {
      this.#atMs = Infinity
      this.#act()
    }, milliseconds)
    this.#timer.unref()
  }

  cancel(): void {
    clearTimeout(this.#timer)
    this.#atMs = Infinity
  }
}
