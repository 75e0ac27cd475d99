import { UPDATE_HINTS, type UpdateCall } from '@homing/openapi'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { HINT_TEXTS } from './hint-texts.ts'
import { reachOf } from '../../caller/principal.ts'
import { listUpdateCalls, type UpdateCallRow } from './list-update-calls.ts'

function updateCallBody(row: UpdateCallRow): UpdateCall {
  const { first_at, last_at, ...same } = row
  // A replica of another version may have written a code that this version does not know.
  const hint = UPDATE_HINTS.find((known) => known === row.hint) ?? null
  return {
    ...same,
    first_at: first_at.toISOString(),
    last_at: last_at.toISOString(),
    hint,
    hint_text: hint && HINT_TEXTS[hint],
  }
}

export const updateCallHandlers = handlersFor('update-calls', {
  async listUpdateCalls({ services, principal, params, query }) {
    const { calls, offset, total } = await listUpdateCalls(
      services,
      reachOf(principal),
      params.id,
      query,
    )
    return {
      body: calls.map(updateCallBody),
      headers: contentRange('update-calls', offset, calls.length, total),
    }
  },
})
