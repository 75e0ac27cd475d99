import { ApiProblem } from '../../api/problem.ts'

/** Whether the service refused the link itself: it was used, it has expired, or there is none. */
export const isLinkRefused = (error: Error): boolean =>
  error instanceof ApiProblem && ['link-invalid', 'link-expired'].includes(error.code)
