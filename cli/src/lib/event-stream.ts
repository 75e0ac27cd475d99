/** Server-sent events, as the HTML standard defines them (§9.2.6). */

export interface ServerEvent {
  readonly name: string
  readonly data: string
}

/** The fields of a block of lines. Comments and other fields are left out. */
function eventOf(block: string): ServerEvent {
  let name = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(event|data)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
  }
  return { name, data: data.join('\n') }
}

/** The events of a text that arrives in parts of any length. An event that is not complete at the end is dropped. */
export async function* eventsOf(
  parts: AsyncIterable<string>,
): AsyncGenerator<ServerEvent, void, undefined> {
  let rest = ''
  for await (const part of parts) {
    const blocks = `${rest}${part}`.replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event.data !== '') yield event
    }
  }
}
