import { expect, it } from 'vitest'
import { fanOut } from './fan-out.ts'

interface Events {
  began(name: string): void
  ended(name: string, count: number): void
}

it('calls every listener that has a method, in order', () => {
  const heard: string[] = []
  const events = fanOut<Events>(
    { began: (name) => heard.push(`first ${name}`) },
    {
      began: (name) => heard.push(`second ${name}`),
      ended: (name, count) => heard.push(`${name} ${count}`),
    },
  )
  events.began('a')
  events.ended('b', 2)
  expect(heard).toEqual(['first a', 'second a', 'b 2'])
})
