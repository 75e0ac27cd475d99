/** What happened to a domain, and how its owner undoes it. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { DomainEvent } from '../schemas/domain-history.ts'
import { Domain } from '../schemas/domains.ts'
import { UNDO_DAYS } from '../vocabulary.ts'
import { homeDomain } from './examples.ts'

const example: DomainEvent = {
  id: '4711',
  at: '2026-05-12T08:30:00.000Z',
  kind: 'address',
  actor: 'api_key',
  actor_name: 'pipeline',
  source_ip: '198.51.100.7',
  source_cc: 'DE',
  client: 'ddclient/3.10.0',
  old: { record_ipv4: '198.51.100.6', record_ipv6: null },
  new: { record_ipv4: '198.51.100.7', record_ipv6: null },
  undoes: null,
}

export const domainHistory = {
  listDomainEvents: {
    method: 'GET',
    url: '/api/domains/{id}/events',
    summary: 'List the history of a domain',
    description: `The newest event is first. Without \`range\`, the list has 25 events; a page has at most 100.
To continue, repeat the call with the filter \`before\`: the id of the last event that you have. \`range\` gives the length of a page and must begin at 0: a later page costs no more than the first.
The total in \`Content-Range\` is \`*\` while older events follow. A wildcard has a history of its own. Events are kept for 400 days.`,
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
      schema: Type.Array(ref(DomainEvent)),
      example: [example],
      list: true,
    },
    problems: ['not-found'],
  },
  undoDomainEvent: {
    method: 'POST',
    url: '/api/domains/{id}/events/{event_id}/undo',
    summary: 'Undo a change of a domain',
    description: `Restores the values that the domain had before the event, and writes a new event with \`undoes\`. The new event can be undone, too.
Only changes of addresses, pause, note, tags, the web forward and records of the last ${UNDO_DAYS} days can be undone, and only while no later event is about the same fields: \`undo-refused\` names the reason. The undo of a change of the web forward restores its settings and no addresses. It follows the rules for a new web forward: the target is checked again. A second call fails with \`already-undone\`. An API key that may not create or delete cannot undo the deletion or the creation of a record or a web forward. To restore a deleted domain: \`POST /api/domains/{id}/restore\`.
With \`If-Match\` (the \`ETag\` of the domain), the call fails with \`version-mismatch\` if the domain was changed in the meantime.`,
    access: 'caller',
    keyAction: 'update',
    params: Type.Object({ id: Id, event_id: Id }),
    success: {
      status: 200,
      description: 'The changed domain. DNS serves it at once.',
      schema: ref(Domain),
      example: homeDomain,
    },
    problems: [
      'not-found',
      'already-undone',
      'undo-refused',
      'conflict',
      'version-mismatch',
      'address-not-allowed',
      'domain-locked',
      'withheld',
      'target-not-allowed',
      'stealth-limit',
      'forward-disabled',
    ],
  },
} as const satisfies Slice
