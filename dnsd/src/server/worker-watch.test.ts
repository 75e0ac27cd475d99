import { describe, expect, it } from 'vitest'
import { Control } from '../table/index.ts'
import { WorkerWatch } from './worker-watch.ts'

function watching() {
  const control = new Control()
  for (const worker of [0, 1]) control.admit(worker)
  const watch = new WorkerWatch(control)
  /** The workers that hang at each of ten checks. `meanwhile` runs before each check. */
  const looks = (meanwhile: () => void = () => undefined) =>
    Array.from({ length: 10 }, () => {
      meanwhile()
      return watch.look([0, 1])
    }).flat()
  return { control, looks }
}

describe('WorkerWatch', () => {
  it('reports a worker that never leaves the table as hung, once', () => {
    const { control, looks } = watching()
    control.enter(1)
    expect(looks()).toEqual([1])
  })

  it('does not report a worker that is always in the table, each time for a different packet', () => {
    const { control, looks } = watching()
    expect(looks(() => control.enter(0))).toEqual([])
  })

  it('does not report a waiting worker', () => {
    const { control, looks } = watching()
    control.enter(0)
    control.leave(0)
    expect(looks()).toEqual([])
  })

  it('starts again with its replacement', () => {
    const { control, looks } = watching()
    control.enter(0)
    expect(looks()).toEqual([0])
    control.leave(0)
    expect(looks()).toEqual([])
    control.enter(0)
    expect(looks()).toEqual([0])
  })
})
