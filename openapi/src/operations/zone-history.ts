/** What happened to the records of an own zone, and how their owner undoes it. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { ZoneEvent } from '../schemas/zone-history.ts'
import { UNDO_DAYS } from '../vocabulary.ts'

const mail = {
  owner: 'example.com',
  type: 'MX',
  ttl: 3600,
  values: ['10 mail.example.com.'],
}

const example: ZoneEvent = {
  id: '4711',
  at: '2026-05-12T08:30:00.000Z',
  kind: 'record-changed',
  actor: 'session',
  actor_name: null,
  source_ip: '198.51.100.7',
  source_cc: 'DE',
  client: 'Mozilla/5.0',
  old: { record: mail },
  new: { record: { ...mail, values: ['10 mx.example.org.'] } },
  undoes: null,
}

const undone: ZoneEvent = {
  ...example,
  id: '4712',
  at: '2026-05-12T08:31:00.000Z',
  old: example.new,
  new: example.old,
  undoes: example.id,
}

export const zoneHistory = {
  listZoneEvents: {
    method: 'GET',
    url: '/api/zones/{id}/events',
    summary: 'List the history of an own zone',
    description: `Each record of the zone that was created, changed or deleted. The changes of records at and below a domain are in the history of the domain.
The newest event is first. Without \`range\`, the list has 25 events; a page has at most 100. To continue, repeat the call with the filter \`before\`: the id of the last event that you have. \`range\` gives the length of a page and must begin at 0.
The total in \`Content-Range\` is \`*\` while older events follow. Events are kept for 400 days. An API key with a scope sees the events of the owner names in its scope.`,
    access: 'caller',
    keyAction: 'read',
    params: Type.Object({ id: Id }),
    query: listQuery({
      sort: ['id'],
      filter: { before: 'the id of an event: only older events' },
    }),
    success: {
      status: 200,
      description: 'The events.',
      schema: Type.Array(ref(ZoneEvent)),
      example: [example],
      list: true,
    },
    problems: ['not-found'],
  },
  undoZoneEvent: {
    method: 'POST',
    url: '/api/zones/{id}/events/{event_id}/undo',
    summary: 'Undo a change of a record in an own zone',
    description: `Restores the record as it was before the event, under the rules for a new call, and writes a new event with \`undoes\`. The new event can be undone, too.
Only events of the last ${UNDO_DAYS} days can be undone, and only while no later event is about the same owner name and type, and no domain was registered there: \`undo-refused\` names the reason. A second call fails with \`already-undone\`. An API key needs the action of what the undo does: create, update or delete.`,
    access: 'caller',
    keyAction: ['create', 'update', 'delete'],
    params: Type.Object({ id: Id, event_id: Id }),
    success: {
      status: 200,
      description: 'The event of the undo. DNS serves the records at once.',
      schema: ref(ZoneEvent),
      example: undone,
    },
    problems: [
      'not-found',
      'already-undone',
      'undo-refused',
      'record-not-allowed',
      'record-exists',
      'record-limit',
      'domain-locked',
      'zone-not-active',
    ],
  },
} as const satisfies Slice
