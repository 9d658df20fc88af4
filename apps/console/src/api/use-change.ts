import { ProblemError } from '@parapet/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'

/** A change of the API after which everything below these paths is read again. */
export function useChange<T>(
  run: (input: T) => Promise<unknown>,
  paths: readonly string[],
  onDone: () => void = nothing,
) {
  const queries = useQueryClient()
  const renew = (): Promise<void> =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [path] }) =>
        typeof path === 'string' && paths.some((beginning) => path.startsWith(beginning)),
    })
  const mutation = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      await renew()
      onDone()
    },
  })
  return { ...mutation, renew }
}

const nothing = (): void => undefined

/** Somebody else changed the resource since it was read. */
export const isStale = (error: unknown): boolean => error instanceof ProblemError && error.status === 412
