// About the longest delay of questions that arrive meanwhile, for each background task that is running.
const SLICE_MS = 2

/**
 * Repeats `step` until it returns false, in slices. Questions are answered in between. It does not keep the
 * process alive.
 */
export function inBackground(step: () => boolean): void {
  const slice = (): void => {
    const endMs = performance.now() + SLICE_MS
    while (step()) {
      if (performance.now() < endMs) continue
      setImmediate(slice).unref()
      return
    }
  }
  setImmediate(slice).unref()
}
