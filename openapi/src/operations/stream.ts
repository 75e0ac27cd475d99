/** The live stream: what changes in an account, as server-sent events. */
import { Type } from 'typebox'
import type { Slice, StreamEvent } from '../operation.ts'
import { ref } from '../schema.ts'
import { Domain } from '../schemas/domains.ts'
import {
  ChangedZone,
  DeletedDomain,
  ReceivedUpdateCall,
  StreamEnd,
  StreamHeartbeat,
  StreamReload,
} from '../schemas/stream.ts'
import { LiveQuery } from '../schemas/dns-analytics.ts'
import { MonitorEvent } from '../schemas/uptime.ts'
import { LIVE_QUERIES_LIMIT } from '../vocabulary.ts'
import { homeDomain } from './examples.ts'

const events = {
  reload: {
    description:
      'Read your lists again. The first event, unless the stream continues an earlier one.',
    schema: ref(StreamReload),
    example: {},
  },
  domain: {
    description:
      'A domain was created or changed: its present state. Ignore an event whose `version` is not higher than the one you have.',
    schema: ref(Domain),
    example: homeDomain,
  },
  'domain-deleted': {
    description: 'A domain was deleted.',
    schema: ref(DeletedDomain),
    example: { id: '42', fqdn: 'home.example.net' },
  },
  zone: {
    description:
      'Records of an own zone changed that belong to no domain. Changes of domains in the zone, and of their records, are `domain` events.',
    schema: ref(ChangedZone),
    example: { id: '5', zone: 'example.com' },
  },
  'update-call': {
    description:
      'An update call arrived, about a second ago. Several calls of one second are one event. Missed events of this kind are not sent later.',
    schema: ref(ReceivedUpdateCall),
    example: {
      domain_id: '42',
      fqdn: 'home.example.net',
      last_at: '2026-05-12T09:30:00.000Z',
      is_refused: false,
      answer: 'good 198.51.100.7',
    },
  },
  monitor: {
    description:
      'The state of a monitor has changed, about a second ago. Missed events of this kind are not sent later: read the monitors after `reload` and after each new connection.',
    schema: ref(MonitorEvent),
    example: {
      domain_id: '42',
      fqdn: 'home.example.net',
      is_enabled: true,
      kind: 'https',
      port: null,
      state: 'down',
      state_since: '2026-05-12T09:30:00.000Z',
      cause_text: 'The server answered with status 502.',
    },
  },
  query: {
    description:
      'A DNS query for one of your domains, a second or two ago. Only with `queries=true`, and only for plans with DNS analytics. Missed events of this kind are not sent later.',
    schema: ref(LiveQuery),
    example: {
      at: '2026-05-12T09:30:00.000Z',
      domain_id: '42',
      qname: 'home.example.net',
      type: 'A',
      rcode: 'NOERROR',
      transport: 'udp',
      network: '198.51.100.0/24',
      sample: 1,
    },
  },
  heartbeat: {
    description: 'Sent at the start, and after 25 seconds without another event.',
    schema: ref(StreamHeartbeat),
    example: { at: '2026-05-12T09:30:25.000Z' },
  },
  end: {
    description: 'The service ends the stream.',
    schema: ref(StreamEnd),
    example: { reason: 'stopping' },
  },
} as const satisfies Readonly<Record<string, StreamEvent>>

/** What a client reads: the example of each event. */
const text = Object.entries(events)
  .map(([name, { example }]) => `event: ${name}\ndata: ${JSON.stringify(example)}\n\n`)
  .join('')

export const stream = {
  followChanges: {
    method: 'GET',
    url: '/api/stream',
    summary: 'Follow the changes of your account',
    description: `Server-sent events (\`EventSource\`): your domains, the update calls for them, and your own zones, as they change. \`x-events\` describes each event.

Most events have an \`id\`. A client that connects again sends the last one as \`Last-Event-ID\`, as browsers do, and gets the changes that it missed. If there are too many, or the id is too old, it gets \`reload\`.

The stream ends within a second of its session. An account has at most 10 open streams: when it opens another, the oldest one ends. An open stream is not a call in progress and not a connection in the limits of your network.`,
    access: 'session',
    query: Type.Object({
      queries: Type.Optional(
        Type.Boolean({
          description: `Sends \`query\` events, too: at most ${LIVE_QUERIES_LIMIT} a second, then sampled.`,
        }),
      ),
    }),
    success: {
      status: 200,
      description: 'The events.',
      contentType: 'text/event-stream',
      schema: Type.String(),
      example: text,
      events,
    },
    problems: ['plan-required'],
  },
} as const satisfies Slice
