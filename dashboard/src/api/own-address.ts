import { api } from './client.ts'
import { answerOf } from './problem.ts'

/** The address from which this browser reaches the service. @throws ApiProblem, NetworkFailure */
export async function ownAddress(): Promise<string> {
  const { data } = await answerOf(api.GET('/nic/checkip', { parseAs: 'text' }))
  return data.trim()
}
