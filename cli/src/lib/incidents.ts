/** Incidents of monitored domains, as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { listOf } from './api.ts'
import type { Listing } from './output.ts'
import { ago, span } from './text.ts'

export type Incident = components['schemas']['MonitorIncident']

/** The most incidents that are asked for at once. */
const PAGE = 100

export const INCIDENT_FIELDS = [
  'id',
  'state',
  'started_at',
  'ended_at',
  'duration_seconds',
  'cause',
  'cause_text',
] as const satisfies readonly (keyof Incident)[]

export const incidentListing: Listing<Incident> = {
  columns: [
    { title: 'BEGAN', of: ({ started_at }) => ago(started_at, Date.now()) },
    { title: 'STATE', of: ({ state }) => state },
    {
      title: 'LENGTH',
      of: ({ ended_at, duration_seconds }) =>
        ended_at === null ? `${span(duration_seconds)}, not over` : span(duration_seconds),
    },
    { title: 'CAUSE', of: ({ cause_text }) => cause_text },
  ],
  fields: (incident) => [
    incident.started_at,
    incident.ended_at,
    incident.state,
    incident.duration_seconds,
    incident.cause,
    incident.cause_text,
  ],
}

/** The newest incidents of a domain, at most `limit`. @param state only those of this state */
export async function newestIncidents(
  api: ApiClient,
  id: string,
  limit: number,
  state?: Incident['state'],
): Promise<Incident[]> {
  const incidents: Incident[] = []
  while (incidents.length < limit) {
    const first = incidents.length
    const length = Math.min(PAGE, limit - first)
    const query = {
      range: JSON.stringify([first, first + length - 1]),
      ...(state !== undefined && { filter: JSON.stringify({ state }) }),
    }
    const answer = await api.GET('/api/uptime/domain/{id}/incidents', {
      params: { path: { id }, query },
    })
    // The former page was the last one, and full.
    if (answer.response.status === 416) break
    const page = listOf(answer, 'id', 'state')
    incidents.push(...page)
    if (page.length < length) break
  }
  return incidents
}
