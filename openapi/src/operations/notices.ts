/** Notices on the screens of an account: what currently concerns it. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { Notice, NoticeId, type Notice as NoticeBody } from '../schemas/notices.ts'

const example: NoticeBody = {
  id: 'keys-expiring-1778574600000',
  kind: 'keys-expiring',
  severity: 'warning',
  title: 'The API key “backup” expires soon',
  text: 'It expires at 2026-05-19 08:30 UTC. Programs that use an expired key are refused. To keep the key, change its expiry.',
  action: { label: 'View API Keys', url: '/#settings/api-keys' },
  dismissable: true,
  created_at: '2026-05-12T08:30:00.000Z',
}

export const notices = {
  listNotices: {
    method: 'GET',
    url: '/api/me/notices',
    summary: 'List what currently concerns your account',
    description:
      'The most important notice is first. The list has at most one notice of each kind, and none that you dismissed. A notice disappears when its cause does.',
    access: 'session',
    success: {
      status: 200,
      description: 'The notices.',
      schema: Type.Array(ref(Notice)),
      example: [example],
    },
  },
  dismissNotice: {
    method: 'POST',
    url: '/api/me/notices/{id}/dismiss',
    summary: 'Dismiss a notice',
    description:
      'Hides the notice on all devices until its cause occurs again. A repeated call has the same result. A notice that is not `dismissable` is refused with `conflict`.',
    access: 'session',
    idempotent: true,
    params: Type.Object({ id: NoticeId }),
    success: { status: 204, description: 'The notice is dismissed.' },
    problems: ['not-found', 'conflict'],
  },
} as const satisfies Slice
