/** Who runs the service: for help, and as the seller on invoices. */
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf } from './problem.ts'

export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/operator', { signal }))).data,
  staleTime: 300_000,
})
