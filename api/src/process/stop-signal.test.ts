import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { listenForStop } from './stop-signal.ts'

function listen() {
  const source = new EventEmitter()
  const clock = { ms: 1_000 }
  return { source, clock, stop: listenForStop(source, () => clock.ms) }
}

test.each(['SIGINT', 'SIGTERM'])('%s is the first signal', (name) => {
  const { source, stop } = listen()
  expect(stop.first.aborted).toBe(false)
  source.emit(name)
  expect(stop.first.aborted).toBe(true)
})

test('signals within 2 s count as one; a later one is the second', () => {
  const { source, clock, stop } = listen()
  source.emit('SIGINT')
  source.emit('SIGTERM')
  clock.ms += 1_999
  source.emit('SIGINT')
  expect(stop.second.aborted).toBe(false)
  clock.ms += 1
  source.emit('SIGINT')
  expect(stop.second.aborted).toBe(true)
})
