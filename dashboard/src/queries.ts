/** What the app has read from the service. */
import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './api/problem.ts'

/** A 4xx response would only repeat. Network errors and 5xx responses can be temporary. */
function isWorthAnotherTry(failures: number, error: Error): boolean {
  return failures < 2 && !(error instanceof ApiProblem && error.status < 500)
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: isWorthAnotherTry, staleTime: 5_000 },
    mutations: { networkMode: 'always' },
  },
})
