// Questions that arrive meanwhile wait at most about this long, for each of the works that go on at the same time.
const SLICE_MS = 2

/**
 * Does `step` again and again until it returns false, in slices between which questions are answered. It
 * does not keep the process from ending.
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
