/** The mails that the account chose to get. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf } from './problem.ts'

export type NotificationSettings = components['schemas']['NotificationSettings']

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/me/notifications', { signal }))).data,
})

/** @returns the settings as they are now. @throws ApiProblem, NetworkFailure */
export async function updateNotifications(
  settings: NotificationSettings,
): Promise<NotificationSettings> {
  return (await answerOf(api.PUT('/api/me/notifications', { body: settings }))).data
}
