import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { eventsOf, type ServerEvent } from './event-stream.ts'

const TEXT =
  ': a comment\n\nevent: query\ndata: {"a":1}\n\nid: 7\r\nevent: end\r\ndata:one\r\ndata: two\r\n\r\ndata: x\n\nevent: cut\ndata: off'

async function read(parts: readonly string[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of eventsOf(Readable.from(parts))) events.push(event)
  return events
}

test.each([TEXT.length, 7, 1])('events are read from parts of %i characters', async (length) => {
  const parts = Array.from({ length: Math.ceil(TEXT.length / length) }, (_, n) =>
    TEXT.slice(n * length, (n + 1) * length),
  )
  expect(await read(parts)).toEqual([
    { name: 'query', data: '{"a":1}' },
    { name: 'end', data: 'one\ntwo' },
    { name: 'message', data: 'x' },
  ])
})
