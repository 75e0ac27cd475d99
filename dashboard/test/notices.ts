/** Notices of the account for tests, and a service that has them. */
import { type exampleOf, mock, ok } from './mock.ts'

type Notice = ReturnType<typeof exampleOf<'listNotices'>>[number]

export const notice = (kind: Notice['kind'], changes: Partial<Notice> = {}): Notice => ({
  id: `${kind}-1`,
  kind,
  severity: 'warning',
  title: `About ${kind}`,
  text: 'What to do.',
  action: { label: 'Settle it', url: '/#settings/api-keys' },
  dismissable: true,
  created_at: '2026-05-12T08:30:00.000Z',
  ...changes,
})

/** The service with these notices, which it forgets when they are dismissed. */
export function serveNotices(...notices: readonly Notice[]): void {
  let left = [...notices]
  mock.handle({
    listNotices: () => ok(left),
    dismissNotice({ params }) {
      left = left.filter(({ id }) => id !== params.id)
      return ok()
    },
  })
}
