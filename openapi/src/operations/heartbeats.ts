/** Heartbeats: devices say that they run. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { HeartbeatToken } from '../schemas/uptime-signals.ts'

export const heartbeats = {
  createHeartbeatToken: {
    method: 'POST',
    url: '/api/uptime/domain/{id}/heartbeat-token',
    summary: 'Create the heartbeat URL of a domain',
    description: 'An existing URL stops working at once.',
    access: 'session',
    params: Type.Object({ id: Id }),
    success: {
      status: 201,
      description: 'The URL. It is shown only once.',
      schema: ref(HeartbeatToken),
      example: {
        token: 'hb_4mTq9zX…',
        url: 'https://homing.example/api/uptime/heartbeat/hb_4mTq9zX…',
      },
    },
    problems: ['not-found', 'conflict', 'domain-locked', 'plan-required'],
  },
  receiveHeartbeat: {
    method: 'GET',
    url: '/api/uptime/heartbeat/{token}',
    summary: 'Send a heartbeat',
    description:
      'A device calls this URL to say that it runs. `HEAD` works too. Every unknown token gets `not-found`.',
    access: 'public',
    anyHost: true,
    openQuery: true,
    params: Type.Object({ token: Type.String({ maxLength: 64 }) }),
    success: {
      status: 200,
      description: 'The heartbeat is recorded.',
      contentType: 'text/plain',
      schema: Type.String(),
      example: 'ok\n',
    },
    problems: ['not-found'],
  },
} as const satisfies Slice
