import type { LiveQuery } from '../../../api/dns-queries.ts'
import { type LiveEvent, StreamSource } from '../../../api/live/stream-source.ts'

/** `ended`: with the session, so nothing connects again. */
export type LiveStreamState = 'connecting' | 'live' | 'broken' | 'ended'

interface QueryHandlers {
  readonly onQuery: (query: LiveQuery) => void
  readonly onState: (state: LiveStreamState) => void
}

function stateAfter([name, data]: LiveEvent): LiveStreamState {
  if (name !== 'end') return 'live'
  return data.reason === 'session-ended' ? 'ended' : 'broken'
}

/**
 * Follows the queries for the caller's domains while the page is visible: the service and its name servers do more work while
 * somebody watches. The stream is not the one of the other live lists, which all tabs share and which has no queries.
 *
 * @returns what ends it
 */
export function followQueries({ onQuery, onState }: QueryHandlers): () => void {
  const open = () =>
    new StreamSource(
      {
        onEvent(event) {
          onState(stateAfter(event))
          const [name, data] = event
          if (name === 'query') onQuery(data)
        },
        onBroken: () => onState('broken'),
      },
      { queries: true },
    )
  let source = document.hidden ? undefined : open()
  function follow(): void {
    source?.close()
    source = document.hidden ? undefined : open()
    onState('connecting')
  }
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    source?.close()
  }
}
