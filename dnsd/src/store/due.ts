/** Something that is done once it is due. It does not keep the process from ending. */
export class Due {
  readonly #act: () => void
  #timer: NodeJS.Timeout | undefined
  #atMs = Infinity

  constructor(act: () => void) {
    this.#act = act
  }

  /** Makes it due after this time at the latest: of several calls the earliest time counts. */
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
