import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useLock } from './use-lock.ts'

/** A change at the service: `useMutation`, with a lock against a double submission. All forms and buttons that write use it. */
export function useWrite<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const mutation = useMutation(options)
  const { mutateAsync } = mutation
  const lock = useLock()
  const mutate = useCallback(
    // The result has the error.
    (...call: Parameters<typeof mutateAsync>) =>
      void lock(() => mutateAsync(...call).catch(() => undefined)),
    [lock, mutateAsync],
  )
  return { ...mutation, mutate }
}
